// The reference's own time loop, section finder and bookkeeping, around anything that it can advance.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace polhode {

/// Body is a ReferenceBody or a ReferenceMotion, in double.
template <class Body>
class ReferenceRun final : public Backend {
  using System = typename Body::System;
  using State = typename Body::State;
  using Invariants = std::array<double, System::n_invariants>;  ///< those that are kept, in front
  static constexpr int dim = System::dim;

  struct Trajectory {
    Body body;
    Invariants invariants, max_drift;
    std::int64_t steps;
    Status status;
  };

  /// A point on the section, theta steps after the last one.
  struct Crossing {
    Status status;
    double theta;
    State state;
  };

 public:
  explicit ReferenceRun(const Plan& plan)
      : plan_(plan), model_(plan.parameters), prototype_(plan.parameters, plan.step) {}

  void load(const Batch& batch) override {
    const std::int64_t n = batch.n;
    trajectories_.assign(n, Trajectory{prototype_, {}, {}, 0, Status::ok});
    for (std::int64_t i = 0; i < n; ++i) {
      Trajectory& t = trajectories_[i];
      State state;
      for (int k = 0; k < dim; ++k) state[k] = batch.state[k * n + i];
      t.body.set_state(state);
      for (int k = 0; k < n_kept(); ++k) t.invariants[k] = batch.invariants[k * n + i];
      for (int k = 0; k < n_kept(); ++k) t.max_drift[k] = batch.max_drift[k * n + i];
      t.steps = batch.steps[i];
      t.status = static_cast<Status>(batch.code[i]);
    }
  }

  using Backend::advance;
  void advance(const Segment& segment, SegmentResult& result) override {
    result = {};
    result.section.resize(1);
    result.section.front().dim = dim;
    result.snapshots.resize(snapshot_size(plan_, segment, {size(), dim, n_kept()}));
    for (std::int64_t i = 0; i < size(); ++i) advance_one(segment, i, result);
  }

  void store(Batch& batch) const override {
    const std::int64_t n = size();
    batch = Batch(n, dim, n_kept());
    for (std::int64_t i = 0; i < n; ++i) {
      const Trajectory& t = trajectories_[i];
      for (int k = 0; k < dim; ++k) batch.state[k * n + i] = t.body.state()[k];
      for (int k = 0; k < n_kept(); ++k) batch.invariants[k * n + i] = t.invariants[k];
      for (int k = 0; k < n_kept(); ++k) batch.max_drift[k * n + i] = t.max_drift[k];
      batch.steps[i] = t.steps;
      batch.code[i] = static_cast<std::uint8_t>(t.status);
    }
  }

  std::string device() const override { return "one CPU core, dense Newton iteration"; }
  std::string isa() const override { return "none"; }

 private:
  int n_kept() const { return std::popcount(plan_.invariants); }
  std::int64_t size() const { return static_cast<std::int64_t>(trajectories_.size()); }

  void advance_one(const Segment& segment, std::int64_t i, SegmentResult& result) {
    Trajectory& t = trajectories_[i];
    if (segment.first == 0) {
      t.invariants = invariants(t.body.state());
      t.max_drift.fill(0);
    }
    double* snapshot = result.snapshots.data() + i;
    for (std::int64_t n = segment.first; n < segment.first + segment.count; ++n) {
      if (t.status == Status::ok) t.status = step(n, i, result.section.front());
      if (t.status == Status::ok && is_invariant_step(n + 1)) update_drift(t);
      if (plan_.snapshots_every > 0 && (n + 1) % plan_.snapshots_every == 0) {
        for (int k = 0; k < dim; ++k) snapshot[k * size()] = t.body.state()[k];
        snapshot += dim * size();
        const Invariants now = invariants(t.body.state());
        for (int k = 0; k < n_kept(); ++k) snapshot[k * size()] = now[k];
        snapshot += n_kept() * size();
      }
    }
  }

  /// Step n of trajectory i, with its crossing. If either fails, the trajectory stays where it was.
  Status step(std::int64_t n, std::int64_t i, SectionPoints& section) {
    Trajectory& t = trajectories_[i];
    Body next = t.body;
    if (const Status status = next.advance(plan_.step); status != Status::ok) return status;
    if (crosses_section(t.body.state(), next.state())) {
      const Crossing crossing = find_crossing(t.body, next.state());
      if (crossing.status != Status::ok) return crossing.status;
      // An angle that goes from pi to -pi jumps over the value.
      const double reached = std::abs(section_function(crossing.state));
      const bool jump =
          reached > 1e-3 * (std::abs(section_function(t.body.state())) + std::abs(section_function(next.state())));
      section.trajectory.push_back(i);
      section.step.push_back(n);
      section.theta.push_back(jump ? HUGE_VAL : crossing.theta);
      section.state.insert(section.state.end(), crossing.state.begin(), crossing.state.end());
    }
    t.body = next;
    t.steps = n + 1;
    return Status::ok;
  }

  /// Up: f_n < 0 <= f_{n+1}; down: f_n > 0 >= f_{n+1}.
  bool crosses_section(const State& before, const State& after) const {
    if (plan_.section.observable < 0) return false;
    const double f0 = section_function(before), f1 = section_function(after);
    return (plan_.section.up && f0 < 0 && f1 >= 0) || (plan_.section.down && f0 > 0 && f1 <= 0);
  }

  /// Bisection for the theta in (0, 1] at which the step of length theta h of the body ends on the section; that step
  /// ends at `after` for theta = 1. The bracket shrinks to the spacing of doubles below 1, and its far end is taken.
  Crossing find_crossing(const Body& body, const State& after) const {
    const double side = section_function(body.state()) < 0 ? 1 : -1;
    double near_end = 0;
    Crossing far_end{Status::ok, 1, after};
    while (far_end.theta - near_end > std::numeric_limits<double>::epsilon() / 2) {
      const double theta = (near_end + far_end.theta) / 2;
      Body trial = body;
      const Status status = trial.advance(theta * plan_.step);
      if (status != Status::ok) return {status, theta, body.state()};
      if (side * section_function(trial.state()) >= 0)
        far_end = {Status::ok, theta, trial.state()};
      else
        near_end = theta;
    }
    return far_end;
  }

  bool is_invariant_step(std::int64_t step) const {
    return plan_.invariants != 0 && (step % plan_.invariants_every == 0 || step == plan_.last_step);
  }

  void update_drift(Trajectory& t) const {
    const Invariants now = invariants(t.body.state());
    for (int k = 0; k < n_kept(); ++k) t.max_drift[k] = std::max(t.max_drift[k], std::abs(now[k] - t.invariants[k]));
  }

  /// Measured from the section's value.
  double section_function(const State& x) const {
    return model_.observe(plan_.section.observable, to_vec(x)) - plan_.section.value;
  }

  /// Those of System::invariants that the plan keeps.
  Invariants invariants(const State& x) const {
    Invariants kept{};
    int k = 0;
    for (int i = 0; i < System::n_invariants; ++i)
      if (plan_.invariants >> i & 1u) kept[k++] = model_.invariant(i, to_vec(x));
    return kept;
  }

  static Vec<double, dim> to_vec(const State& x) {
    Vec<double, dim> v;
    for (int k = 0; k < dim; ++k) v[k] = x[k];
    return v;
  }

  Plan plan_;
  typename System::template Model<double> model_;  ///< for values of observables and invariants
  Body prototype_;
  std::vector<Trajectory> trajectories_;
};

}  // namespace polhode
