#include "backend/reference/reference_run.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/consistency.hpp"
#include "backend/serial_backend.hpp"
#include "contract.hpp"
#include "formula/added_observables.hpp"

namespace polhode {
namespace {

class ReferenceRun final : public SerialBackend {
  using Numbers = std::vector<double>;

  struct Trajectory {
    std::unique_ptr<Motion> motion;
    Numbers invariants, max_drift;  ///< [recorded invariants]
    std::int64_t steps;
    Status status;
    CrossingCounts<Single> counts;
  };

  /// State on the section, at the fraction theta of a step. theta is infinite if the observable jumps over the
  /// section's value, which is not a crossing, and NaN if no valid step reaches the section.
  struct Crossing {
    double theta;
    Numbers state;
  };

 public:
  ReferenceRun(const RunPlan& plan, const Observables& observables, std::unique_ptr<Motion> motion)
      : plan_(plan), observables_(observables), prototype_(std::move(motion)), counts_(count_cells(plan.selection)) {}

  std::int64_t preferred_batch() const override { return 1024; }  // there is an object for each
  void load(Batch batch) override {
    POLHODE_EXPECT(is_complete(batch) && batch.dim == dim() && batch.n_invariants == n_kept());
    const std::int64_t n = batch.n;
    shape_ = batch.shape();
    trajectories_.clear();
    for (std::int64_t i = 0; i < n; ++i) {
      const auto column = [&](const Numbers& all, int count) {
        Numbers one(count);
        for (int k = 0; k < count; ++k) one[k] = all[k * n + i];
        return one;
      };
      trajectories_.push_back({prototype_->clone(), column(batch.invariants, n_kept()),
                               column(batch.max_drift, n_kept()), batch.steps[i], static_cast<Status>(batch.code[i]),
                               CrossingCounts<Single>{}});
      if (batch.n_sections > 0)
        for_crossing_counts([&](const CarriedColumn&, const auto& all, auto& one) { one = all[i]; }, batch,
                            trajectories_.back().counts);
      trajectories_.back().motion->set_state(column(batch.state, dim()).data());
    }
  }

  std::vector<std::int64_t> counts() override { return counts_; }
  void set_counts(std::vector<std::int64_t> counts) override { counts_ = std::move(counts); }

  void store(Batch& batch) const override {
    const std::int64_t n = size();
    batch = Batch(shape_);
    for (std::int64_t i = 0; i < n; ++i) {
      const Trajectory& t = trajectories_[i];
      for (int k = 0; k < dim(); ++k) batch.state[k * n + i] = t.motion->state()[k];
      for (int k = 0; k < n_kept(); ++k) batch.invariants[k * n + i] = t.invariants[k];
      for (int k = 0; k < n_kept(); ++k) batch.max_drift[k * n + i] = t.max_drift[k];
      batch.steps[i] = t.steps;
      batch.code[i] = static_cast<std::uint8_t>(t.status);
      if (batch.n_sections > 0)
        for_crossing_counts([&](const CarriedColumn&, auto& all, const auto& one) { all[i] = one; }, batch, t.counts);
    }
  }

  std::string device() const override { return "one CPU core, dense Newton iteration"; }
  std::string isa() const override { return "none"; }

 protected:
  void compute(const Segment& segment, SegmentResult& result) override {
    POLHODE_EXPECT(segment.count > 0 && segment.first + segment.count <= plan_.last_step);
    POLHODE_EXPECT(!trajectories_.empty() && std::ranges::all_of(trajectories_, [&](const Trajectory& t) {
      return t.status != Status::ok || t.steps == segment.first;
    }));
    result = {};
    result.section.resize(1);
    result.section.front().dim = dim();
    result.snapshots.resize(count_stored(plan_, segment) * snapshot_size(shape_));
    Batch start;
    store(start);
    for (std::int64_t i = 0; i < size(); ++i) advance_one(segment, i, result);
    Batch end;
    store(end);
    for (const StatesAt& states :
         states_for_statistics(plan_, segment, shape_, start.view(), end.view(), result.snapshots.data()))
      result.statistics.push_back(statistics_of(states));
    keep_handed_out(plan_, segment, shape_, result.snapshots);
  }

 private:
  int dim() const { return observables_.dim; }
  int n_kept() const { return std::popcount(plan_.invariants); }
  std::int64_t size() const { return static_cast<std::int64_t>(trajectories_.size()); }

  void advance_one(const Segment& segment, std::int64_t i, SegmentResult& result) {
    Trajectory& t = trajectories_[i];
    if (segment.first == 0) {
      t.invariants = invariants(t.motion->state());
      t.max_drift.assign(n_kept(), 0);
    }
    double* snapshot = result.snapshots.data() + i;
    for (std::int64_t n = segment.first; n < segment.first + segment.count; ++n) {
      if (t.status == Status::ok) t.status = step(n, i, result);
      if (t.status == Status::ok && is_invariant_step(n + 1)) t.status = compare_invariants(t);
      if (hands_out(plan_, n + 1) || has_statistics(plan_, n + 1)) {
        for (int k = 0; k < dim(); ++k) snapshot[k * size()] = t.motion->state()[k];
        snapshot += dim() * size();
        const Numbers now = invariants(t.motion->state());
        for (int k = 0; k < n_kept(); ++k) snapshot[k * size()] = now[k];
        snapshot += n_kept() * size();
      }
    }
  }

  /// Takes step n of trajectory i, records the crossings in it, and returns the status of the trajectory. If the step
  /// fails, or a crossing is terminal, the trajectory remains where it was.
  Status step(std::int64_t n, std::int64_t i, SegmentResult& result) {
    Trajectory& t = trajectories_[i];
    std::unique_ptr<Motion> next = t.motion->clone();
    if (const Status status = advance(*next, 1); status != Status::ok)
      return observables_.is_at_edge(t.motion->state(), plan_.step) ? Status::left_domain : status;
    for (const Crossing& crossing : crossings(t, next->state())) {
      take(crossing, n, i, result);
      if (plan_.section.terminal) return Status::event;
    }
    t.motion = std::move(next);
    t.steps = n + 1;
    return Status::ok;
  }

  /// Advances a motion by the fraction theta of a step, stage by stage. If that fails, the motion is at some
  /// intermediate stage, or outside the domain of the system.
  Status advance(Motion& motion, double theta) const {
    for (const Stage& stage : std::span(plan_.step_plan.stages, static_cast<std::size_t>(plan_.step_plan.n_stages))) {
      const auto [before, after] = plan_.step_plan.kicks[stage.kicks];
      if (const Status status = motion.advance(stage.fraction * theta * plan_.step, {before, after});
          status != Status::ok)
        return status;
    }
    return observables_.in_domain(motion.state()) ? Status::ok : Status::left_domain;
  }

  /// Records a crossing of trajectory i in step n as far as the plan's selection says: in the numbers and points of
  /// `result`, the counts of the trajectory, and those of the density.
  void take(const Crossing& crossing, std::int64_t n, std::int64_t i, SegmentResult& result) {
    const double* const x = crossing.state.data();
    if (std::isnan(crossing.theta)) ++result.unrefined;
    if (!std::isfinite(crossing.theta) || !keeps(plan_.selection, observables_, x)) return;
    ++result.found;
    ++trajectories_[i].counts.section_count;
    if (has_density(plan_.selection)) ++counts_[cell_of(plan_.selection, observables_, x)];
    if (!plan_.selection.points) return;
    SectionPoints& section = result.section.front();
    section.trajectory.push_back(i);
    section.step.push_back(n);
    section.theta.push_back(crossing.theta);
    section.state.insert(section.state.end(), crossing.state.begin(), crossing.state.end());
  }

  SliceStatistics statistics_of(const StatesAt& states) const {
    SliceStatistics statistics{{}, std::vector<std::int64_t>(count_cells(plan_.statistics))};
    const auto observe = [&](int i, std::int64_t k) {
      Numbers x(dim());
      for (int column = 0; column < dim(); ++column) x[column] = states.state[column * states.n + k];
      return observables_.observe(i, x.data());
    };
    const std::int64_t observables = plan_.statistics.count;
    std::vector<SampleMoments> moments(count_blocks(states.n) * observables);
    for (std::int64_t block = 0; block < count_blocks(states.n); ++block)
      take_statistics(plan_.statistics, LanesInTurn(), states, block, observe, &moments[block * observables],
                      statistics.counts.data());
    statistics.moments = merge_blocks(plan_.statistics, moments);
    return statistics;
  }

  /// Step of length theta h that was tried, with the state at its end, and f, the section function there.
  struct Trial {
    double theta, f;
    Numbers state;
    bool is_valid = true;
  };

  /// Crossings, in order, in the step of trajectory t that leads to the state x. Where f is round-off at both ends of
  /// the step there is none; a change of sign is then counted in t.counts.round_off.
  std::vector<Crossing> crossings(Trajectory& t, const double* x) const {
    if (plan_.section.observable < 0) return {};
    const Trial start = trial_at_start(*t.motion), end = trial_at_end(*t.motion, x);
    const bool changes_sign = crosses_section(start.f, end.f);
    if (std::max(std::abs(start.f), std::abs(end.f)) <= accuracy_at(start)) {
      t.counts.round_off += changes_sign;
      return {};
    }
    if (changes_sign) return {find_crossing(*t.motion, start, end)};
    return plan_.section.long_steps ? find_two(*t.motion, start, end) : std::vector<Crossing>{};
  }

  /// Whether f crosses zero from f0 to f1 in a direction of the plan. Up: f0 < 0 <= f1; down: f0 > 0 >= f1.
  bool crosses_section(double f0, double f1) const {
    return (plan_.section.up && f0 < 0 && f1 >= 0) || (plan_.section.down && f0 > 0 && f1 <= 0);
  }

  /// Bound on the round-off of f at a trial: that of the observable and of the section's value.
  double accuracy_at(const Trial& at) const {
    return 4 * std::numeric_limits<double>::epsilon() *
           (std::abs(plan_.section.value) + observables_.magnitude(plan_.section.observable, at.state.data()));
  }

  /// Trial whose step began at the state of `start`, had the length theta h, and ended at x.
  Trial trial_at(double theta, const Motion& start, const double* x) const {
    return {theta, section_function(start.state(), x), Numbers(x, x + dim())};
  }
  Trial trial_at_start(const Motion& motion) const { return trial_at(0, motion, motion.state()); }
  Trial trial_at_end(const Motion& start, const double* after) const { return trial_at(1, start, after); }
  Trial try_step(const Motion& motion, double theta) const {
    const std::unique_ptr<Motion> trial = motion.clone();
    const bool is_valid = advance(*trial, theta) == Status::ok;
    Trial reached = trial_at(theta, motion, trial->state());
    reached.is_valid = is_valid;
    return reached;
  }

  /// Crossing between two steps from the state of `motion` that end on either side of the section, by bisection for the
  /// theta at which the step of length theta h ends on it. The bracket shrinks to the spacing of doubles below 1, and
  /// its far end is the result. A step that is not valid counts as beyond the section.
  ///
  /// f has jumped, and theta is infinite, where its values at the ends of the last bracket differ too much: by more
  /// than 1e-5 radians for a wrapped angle, which jumps by a turn, or by half a turn where its point goes through the
  /// axis (at 1e-9 from the axis the angle is known to 1e-7); for any other f, by more than a thousandth of its change
  /// between the two steps. A wrapped angle within round-off of the section counts as beyond it; but if the near end is
  /// within round-off already, only an angle that is beyond by more than round-off.
  Crossing find_crossing(const Motion& motion, Trial near_end, Trial far_end) const {
    const double side = near_end.f < 0 ? 1 : -1, change = std::abs(far_end.f - near_end.f);
    const double accuracy = plan_.section.jumps ? accuracy_at(near_end) : 0;
    const double level = std::abs(near_end.f) <= accuracy ? accuracy : -accuracy;
    while (far_end.theta - near_end.theta > std::numeric_limits<double>::epsilon() / 2) {
      Trial trial = try_step(motion, (near_end.theta + far_end.theta) / 2);
      (trial.is_valid && side * trial.f < level ? near_end : far_end) = std::move(trial);
    }
    if (!far_end.is_valid)
      far_end.theta = std::numeric_limits<double>::quiet_NaN();
    else if (std::abs(far_end.f - near_end.f) > (plan_.section.jumps ? 1e-5 : 1e-3 * change))
      far_end.theta = HUGE_VAL;
    return {far_end.theta, far_end.state};
  }

  /// Crossings of a step whose ends are on one side of the section: two, or one if the step starts on the section, less
  /// those in a direction that does not count; none if the step stays on that side, or a trial is not valid. A
  /// golden-section search, about the best of a few trials, looks for the theta at which the step ends nearest to the
  /// section or beyond it.
  std::vector<Crossing> find_two(const Motion& motion, const Trial& start, const Trial& end) const {
    if (end.f == 0 || start.f * end.f < 0) return {};
    const double side = end.f < 0 ? 1 : -1;
    constexpr int parts = 4;
    std::array<Trial, parts + 1> trials;
    for (int k = 0; k <= parts; ++k) {
      trials[k] = k == 0 ? start : k == parts ? end : try_step(motion, static_cast<double>(k) / parts);
      if (!trials[k].is_valid) return {};
    }
    const auto height = [&](const Trial& trial) { return side * trial.f; };
    const auto [lowest, highest] = std::ranges::minmax(trials, {}, height);
    if (height(highest) + (height(highest) - height(lowest)) < 0) return {};  // far from it
    double low = std::max(0.0, highest.theta - 1.0 / parts), high = std::min(1.0, highest.theta + 1.0 / parts);
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    Trial left = try_step(motion, high - ratio * (high - low)), right = try_step(motion, low + ratio * (high - low));
    Trial best = highest;
    const double least = plan_.section.jumps ? accuracy_at(start) : 0;  // of an angle on the section there is round-off
    const auto is_beyond = [&] { return height(best) >= least && best.theta > 0; };  // a start on the section is not
    while (!is_beyond() && high - low > 1e-9) {
      if (height(left) > height(right)) {
        high = right.theta;
        right = std::exchange(left, {});
        left = try_step(motion, high - ratio * (high - low));
      } else {
        low = left.theta;
        left = std::exchange(right, {});
        right = try_step(motion, low + ratio * (high - low));
      }
      best = std::max(left, right, [&](const Trial& a, const Trial& b) { return height(a) < height(b); });
    }
    if (!is_beyond()) return {};
    std::vector<Crossing> found;
    const bool rises_first = end.f < 0;
    const bool starts_on_section = start.f == 0;  // which is no crossing
    if (!starts_on_section && (rises_first ? plan_.section.up : plan_.section.down))
      found.push_back(find_crossing(motion, start, best));
    if (rises_first ? plan_.section.down : plan_.section.up) found.push_back(find_crossing(motion, best, end));
    return found;
  }

  bool is_invariant_step(std::int64_t step) const {
    return plan_.invariants != 0 && (step % plan_.invariants_every == 0 || step == plan_.last_step);
  }

  /// Updates the drifts of a trajectory; returns Status::energy_changed if its energy has changed by more than the
  /// limit.
  Status compare_invariants(Trajectory& t) const {
    const Numbers now = invariants(t.motion->state());
    Status status = Status::ok;
    for (int i = 0, k = 0; i < observables_.n_invariants; ++i) {
      if (!(plan_.invariants >> i & 1u)) continue;
      const double change = std::abs(now[k] - t.invariants[k]);
      t.max_drift[k] = std::max(t.max_drift[k], change);
      if (plan_.energy >> i & 1u && !(change <= plan_.energy_limit)) status = Status::energy_changed;
      ++k;
    }
    return status;
  }

  /// The observable at x minus the section's value. For an angle without bound, whole turns are added to the value, so
  /// that it is nearest to the angle in the state `start`, where the step begins.
  double section_function(const double* start, const double* x) const {
    const double f = observables_.observe(plan_.section.observable, x) - plan_.section.value;
    if (!plan_.section.modulo_turns) return f;
    const double at_start = observables_.observe(plan_.section.observable, start) - plan_.section.value;
    return f - (at_start - std::remainder(at_start, 2 * std::numbers::pi));
  }

  /// Recorded invariants at the state x.
  Numbers invariants(const double* x) const {
    Numbers kept;
    for (int i = 0; i < observables_.n_invariants; ++i)
      if (plan_.invariants >> i & 1u) kept.push_back(observables_.invariant(i, x));
    return kept;
  }

  RunPlan plan_;
  Observables observables_;
  std::unique_ptr<Motion> prototype_;
  BatchShape shape_;
  std::vector<Trajectory> trajectories_;
  std::vector<std::int64_t> counts_;  ///< counts of the density
};

/// Observables of a system with those that its plan adds to them.
Observables with_added(const Observables& own, const RunPlan& plan) {
  Observables all = own;
  all.observe = [&added = *plan.added, observe = own.observe,
                 p = std::vector(std::begin(plan.parameters), std::end(plan.parameters))](int i, const double* x) {
    if (i < added.n_own) return observe(i, x);
    return added.value(i - added.n_own, p.data(), [&](int k) { return observe(k, x); });
  };
  all.magnitude = [n_own = plan.added->n_own, dim = own.dim, magnitude = own.magnitude](int i, const double* x) {
    if (i < n_own) return magnitude(i, x);
    double sum = 0;
    for (int k = 0; k < dim; ++k) sum += std::abs(x[k]);
    return sum;
  };
  return all;
}

}  // namespace

std::unique_ptr<Backend> make_reference_run(const RunPlan& plan, const Observables& observables,
                                            std::unique_ptr<Motion> motion) {
  return std::make_unique<ReferenceRun>(plan, plan.added ? with_added(observables, plan) : observables,
                                        std::move(motion));
}

}  // namespace polhode
