#include "backend/reference/reference_run.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/consistency.hpp"
#include "contract.hpp"

namespace polhode {
namespace {

class ReferenceRun final : public Backend {
  using Numbers = std::vector<double>;

  struct Trajectory {
    std::unique_ptr<Motion> motion;
    Numbers invariants, max_drift;  ///< [recorded invariants]
    std::int64_t steps;
    Status status;
  };

  /// A point on the section, theta steps after the last state. theta is infinite if the observable jumps over the
  /// section's value, which is not a crossing, and NaN if no valid step reaches it.
  struct Crossing {
    double theta;
    Numbers state;
  };

 public:
  ReferenceRun(const Plan& plan, const Observables& observables, std::unique_ptr<Motion> motion)
      : plan_(plan), observables_(observables), prototype_(std::move(motion)) {}

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
                               column(batch.max_drift, n_kept()), batch.steps[i], static_cast<Status>(batch.code[i])});
      trajectories_.back().motion->set_state(column(batch.state, dim()).data());
    }
  }

  using Backend::advance;
  void advance(const Segment& segment, SegmentResult& result) override {
    POLHODE_EXPECT(segment.count > 0 && segment.first + segment.count <= plan_.last_step);
    POLHODE_EXPECT(!trajectories_.empty() && std::ranges::all_of(trajectories_, [&](const Trajectory& t) {
      return t.status != Status::ok || t.steps == segment.first;
    }));
    result = {};
    result.section.resize(1);
    result.section.front().dim = dim();
    result.start_counts(plan_, 1, size());
    result.snapshots.resize(snapshot_size(plan_, segment, shape_));
    for (std::int64_t i = 0; i < size(); ++i) advance_one(segment, i, result);
    if (result.snapshots.empty()) return;
    for (const Trajectory& t : trajectories_) result.steps.push_back(t.steps);
  }

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
    }
  }

  std::string device() const override { return "one CPU core, dense Newton iteration"; }
  std::string isa() const override { return "none"; }

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
      if (t.status == Status::ok && is_invariant_step(n + 1)) update_drift(t);
      if (plan_.snapshots_every > 0 && (n + 1) % plan_.snapshots_every == 0) {
        for (int k = 0; k < dim(); ++k) snapshot[k * size()] = t.motion->state()[k];
        snapshot += dim() * size();
        const Numbers now = invariants(t.motion->state());
        for (int k = 0; k < n_kept(); ++k) snapshot[k * size()] = now[k];
        snapshot += n_kept() * size();
      }
    }
  }

  /// Takes step n of trajectory i, with its crossing. If the step fails, or the crossing is terminal, the trajectory
  /// remains where it was.
  Status step(std::int64_t n, std::int64_t i, SegmentResult& result) {
    Trajectory& t = trajectories_[i];
    std::unique_ptr<Motion> next = t.motion->clone();
    if (const Status status = advance(*next, 1); status != Status::ok) return status;
    if (crosses_section(t.motion->state(), next->state())) {
      take(find_crossing(*t.motion, next->state()), n, i, result);
      if (plan_.section.terminal) return Status::event;
    }
    t.motion = std::move(next);
    t.steps = n + 1;
    return Status::ok;
  }

  /// Advances by a fraction of a step, stage by stage. If it fails, the motion is at some intermediate stage.
  Status advance(Motion& motion, double theta) const {
    for (const Stage& stage : std::span(plan_.method.stages, static_cast<std::size_t>(plan_.method.n_stages)))
      if (const Status status = motion.advance(stage.fraction * theta * plan_.step, stage.adjoint);
          status != Status::ok)
        return status;
    return observables_.in_domain(motion.state()) ? Status::ok : Status::left_domain;
  }

  /// Records what the plan selects of a crossing.
  void take(const Crossing& crossing, std::int64_t n, std::int64_t i, SegmentResult& result) const {
    PointTally& tally = result.tallies.front();
    const double* const x = crossing.state.data();
    if (std::isnan(crossing.theta)) ++tally.unrefined;
    if (!std::isfinite(crossing.theta) || !keeps(plan_.selection, observables_, x)) return;
    ++tally.found;
    ++result.section_count[i];
    if (has_density(plan_.selection))
      tally.cells.push_back(static_cast<std::uint32_t>(cell_of(plan_.selection, observables_, x)));
    if (!plan_.selection.points) return;
    SectionPoints& section = result.section.front();
    section.trajectory.push_back(i);
    section.step.push_back(n);
    section.theta.push_back(crossing.theta);
    section.state.insert(section.state.end(), crossing.state.begin(), crossing.state.end());
  }

  /// Up: f_n < 0 <= f_{n+1}; down: f_n > 0 >= f_{n+1}.
  bool crosses_section(const double* before, const double* after) const {
    if (plan_.section.observable < 0) return false;
    const double f0 = section_function(before), f1 = section_function(after);
    return (plan_.section.up && f0 < 0 && f1 >= 0) || (plan_.section.down && f0 > 0 && f1 <= 0);
  }

  /// Bisection for the theta in (0, 1] at which the step of length theta h ends on the section; for theta = 1 that step
  /// ends at `after`. The bracket shrinks to the spacing of doubles below 1, and its far end is the result. A step that
  /// is not valid counts as beyond the section. An angle that goes from pi to -pi jumps over the value: the values at
  /// both ends differ by more than round-off.
  Crossing find_crossing(const Motion& motion, const double* after) const {
    const double start = section_function(motion.state()), side = start < 0 ? 1 : -1;
    double near_end = 0, f_near = start, f_far = section_function(after);
    const double change = std::abs(f_far - f_near);
    Crossing far_end{1, Numbers(after, after + dim())};
    bool is_valid = true;  // whether the step to the far end is
    while (far_end.theta - near_end > std::numeric_limits<double>::epsilon() / 2) {
      const double theta = (near_end + far_end.theta) / 2;
      const std::unique_ptr<Motion> trial = motion.clone();
      const bool trial_is_valid = advance(*trial, theta) == Status::ok;
      const double f = section_function(trial->state());
      if (trial_is_valid && side * f < 0) {
        near_end = theta;
        f_near = f;
      } else {
        far_end = {theta, Numbers(trial->state(), trial->state() + dim())};
        f_far = f;
        is_valid = trial_is_valid;
      }
    }
    if (!is_valid)
      far_end.theta = std::numeric_limits<double>::quiet_NaN();
    else if (std::abs(f_far - f_near) > 1e-3 * change)
      far_end.theta = HUGE_VAL;
    return far_end;
  }

  bool is_invariant_step(std::int64_t step) const {
    return plan_.invariants != 0 && (step % plan_.invariants_every == 0 || step == plan_.last_step);
  }

  void update_drift(Trajectory& t) const {
    const Numbers now = invariants(t.motion->state());
    for (int k = 0; k < n_kept(); ++k) t.max_drift[k] = std::max(t.max_drift[k], std::abs(now[k] - t.invariants[k]));
  }

  /// The observable minus the section's value.
  double section_function(const double* x) const {
    return observables_.observe(plan_.section.observable, x) - plan_.section.value;
  }

  /// The recorded invariants.
  Numbers invariants(const double* x) const {
    Numbers kept;
    for (int i = 0; i < observables_.n_invariants; ++i)
      if (plan_.invariants >> i & 1u) kept.push_back(observables_.invariant(i, x));
    return kept;
  }

  Plan plan_;
  Observables observables_;
  std::unique_ptr<Motion> prototype_;
  BatchShape shape_;
  std::vector<Trajectory> trajectories_;
};

}  // namespace

std::unique_ptr<Backend> make_reference_run(const Plan& plan, const Observables& observables,
                                            std::unique_ptr<Motion> motion) {
  return std::make_unique<ReferenceRun>(plan, observables, std::move(motion));
}

}  // namespace polhode
