// Compares invariants with their values at step 0 and writes snapshots, at the steps at which these are due. Lanes
// whose energy has then changed by more than the plan allows end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "polhode/run/carried.hpp"
#include "polhode/run/kept_invariants.hpp"
#include "polhode/run/lane_range.hpp"
#include "polhode/run/living_lanes.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System, class T>
class Recorder {
  using State = typename System::template State<T>;
  using Model = typename System::template Model<T>;

 public:
  /// snapshots: as in propagate().
  POLHODE_HD Recorder(const Plan& plan, const Segment& segment, const Model& model, const LaneRange<T>& lanes,
                      const BatchView& in, const BatchView& out, double* snapshots)
      : plan_(plan),
        segment_(segment),
        model_(model),
        lanes_(lanes),
        out_(out),
        snapshots_(snapshots),
        invariants_(plan, lanes, in, out),
        next_(segment.first == 0 ? 0 : next_after(segment.first)) {}

  /// Number of steps after which something is due next.
  POLHODE_HD std::int64_t next() const { return next_; }

  /// Does what is due after n steps of the run.
  POLHODE_HD void visit(std::int64_t n, const State& at, LivingLanes<T>& living) {
    if (n != next_) return;
    const bool later = n > segment_.first;  // otherwise the segment before has done it
    record(n, later && (n == plan_.last_step || is_multiple(n, plan_.invariants_every)),
           later && stores_after(plan_, n), at, living);
    next_ = next_after(n);
  }

  /// Stores the carried invariants in the batch.
  POLHODE_HD void finish() const { invariants_.finish(plan_, lanes_, out_); }

 private:
  /// Whether n is a multiple of `every`, which never holds for 0.
  POLHODE_HD static bool is_multiple(std::int64_t n, std::int64_t every) { return every > 0 && n % every == 0; }
  POLHODE_HD std::int64_t next_after(std::int64_t n) const {
    std::int64_t next = std::numeric_limits<std::int64_t>::max();
    if (n < plan_.last_step) next = plan_.last_step;
    for (const std::int64_t every : {plan_.invariants_every, plan_.snapshots_every, plan_.statistics_every})
      if (every > 0) next = std::min(next, (n / every + 1) * every);
    return next;
  }

  /// Stores the initial values at n = 0, compares later ones with those, and writes a snapshot. One function for all
  /// uses, because the code of invariants is large; outlined on the host.
  POLHODE_OUTLINED void record(std::int64_t n, bool compare, bool snapshot, const State& at, LivingLanes<T>& living) {
    if (snapshot) {
      for_columns<System::dim>([&](int i) POLHODE_LAMBDA { lanes_.store(snapshots_ + i * lanes_.n, at[i]); });
      snapshots_ += System::dim * lanes_.n;
    }
    std::uint64_t ending = 0;
    for_invariants<System::n_invariants>(plan_, [&](int i, std::int64_t column) POLHODE_LAMBDA {
      const T value = model_.invariant(i, at);
      if (n == 0) invariants_.start(column, value, lanes_, out_);
      if (compare) {
        const T change = invariants_.compare(column, value, living.mask(), living.frozen(), lanes_, out_);
        if (plan_.energy >> i & 1u)
          ending = mask_bits(living.mask() & !(change <= T(static_cast<Real<T>>(plan_.energy_limit))));
      }
      if (snapshot) {
        lanes_.store(snapshots_, value);
        snapshots_ += lanes_.n;
      }
    });
    if (ending) living.end(ending, n, [](int) POLHODE_LAMBDA { return Status::energy_changed; });
  }

  const Plan& plan_;
  const Segment& segment_;
  const Model& model_;
  const LaneRange<T>& lanes_;
  const BatchView& out_;
  double* snapshots_;
  KeptInvariants<T, System::n_invariants> invariants_;
  std::int64_t next_;
};

}  // namespace polhode::inline POLHODE_ISA
