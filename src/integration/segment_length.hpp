// How many steps the next segment takes. Its length changes no bit, so it may follow the clock: a tenth of a second is
// short enough to stop, to show progress and to stay in the caches, and long enough to cost nothing. It also follows
// the number of crossings, so that none has to be repeated because there is no room for them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "backend/segments.hpp"
#include "integration/sink.hpp"
#include "polhode/core/run_spec.hpp"

namespace polhode {

class SegmentLength {
 public:
  SegmentLength(const IntegrationSpec& spec, const Plan& plan, const RunLayout& layout)
      : longest_(spec.segment > 0 ? spec.segment : spec.steps) {
    // States that a segment stores are held in memory: at most 256 MiB, unless those of a single time are more.
    const std::int64_t bytes = std::min(layout.n, layout.slice) * (layout.dim + layout.n_invariants) *
                               static_cast<std::int64_t>(sizeof(double));
    for (const std::int64_t every : {plan.snapshots_every, plan.statistics.every}) {
      if (every == 0) continue;
      const std::int64_t fitting = std::max<std::int64_t>(1, (std::int64_t{128} << 20) / bytes);
      if (every < longest_ / fitting) longest_ = every * fitting;
    }
  }

  /// With so many steps left, of which no short rest shall be left over.
  std::int64_t next(std::int64_t left) const {
    const std::int64_t length = std::min(length_, longest_);
    return left <= std::min(length + length / 2, longest_) ? left : length;
  }
  /// From a segment that took so long, and so much of the room for crossings (SegmentResult::fill), or from the part of
  /// it that did fit.
  void learn(std::int64_t asked, std::int64_t taken, double seconds, double fill) {
    if (taken == asked && asked < std::min(length_, longest_)) return;  // cut short by the end
    const double factor = std::clamp(0.1 / std::max(seconds, 1e-6), 0.5, 2.0);
    length_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(taken) * factor));
    if (fill > 0) length_ = std::min(length_, steps_that_fit(taken, fill));
  }

 private:
  std::int64_t length_ = 64, longest_;
};

/// Advances a backend by the next segment, with so many steps left, and learns from it.
inline Segment advance_next(Backend& backend, SegmentLength& length, std::int64_t first, std::int64_t left,
                            SegmentResult& result) {
  using Clock = std::chrono::steady_clock;
  const Segment asked{first, length.next(left)};
  const Clock::time_point begin = Clock::now();
  const Segment taken = advance_as_far_as_fits(backend, asked, result);
  length.learn(asked.count, taken.count, std::chrono::duration<double>(Clock::now() - begin).count(), result.fill);
  return taken;
}

}  // namespace polhode
