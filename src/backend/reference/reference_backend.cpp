#include "backend/reference/reference_backend.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "backend/reference/reference_heavy_top.hpp"

namespace polhode {
namespace {

constexpr int dim = HeavyTop::dim;
constexpr int energy_index = 6, height_index = 7;
static_assert(HeavyTop::observables[energy_index].name == std::string_view("energy"));
static_assert(HeavyTop::observables[height_index].name == std::string_view("height"));

using Top = ReferenceHeavyTop<double>;
using Invariants = std::array<double, HeavyTop::n_invariants>;  ///< those that are kept, in front

struct Trajectory {
  Top top;           ///< (Q, P)
  Top::State state;  ///< its reduced state; as loaded until the first step
  Invariants invariants, max_drift;
  std::int64_t steps;
  Status status;
};

/// A point on the section, theta steps after the last one.
struct Crossing {
  Status status;
  double theta;
  Top::State state;
};

class ReferenceBackend final : public Backend {
 public:
  explicit ReferenceBackend(const Plan& plan) : plan_(plan), prototype_(plan.parameters, plan.step) {}

  void load(const Batch& batch) override {
    const std::int64_t n = batch.n;
    trajectories_.assign(n, Trajectory{prototype_, {}, {}, {}, 0, Status::ok});
    for (std::int64_t i = 0; i < n; ++i) {
      Trajectory& t = trajectories_[i];
      for (int k = 0; k < dim; ++k) t.state[k] = batch.state[k * n + i];
      for (int k = 0; k < n_kept(); ++k) t.invariants[k] = batch.invariants[k * n + i];
      for (int k = 0; k < n_kept(); ++k) t.max_drift[k] = batch.max_drift[k * n + i];
      t.steps = batch.steps[i];
      t.status = static_cast<Status>(batch.code[i]);
      t.top.set_state(t.state);
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
      for (int k = 0; k < dim; ++k) batch.state[k * n + i] = t.state[k];
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
      t.invariants = invariants(t.state);
      t.max_drift.fill(0);
    }
    double* snapshot = result.snapshots.data() + i;
    for (std::int64_t n = segment.first; n < segment.first + segment.count; ++n) {
      if (t.status == Status::ok) t.status = step(n, i, result.section.front());
      if (t.status == Status::ok && is_invariant_step(n + 1)) update_drift(t);
      if (plan_.snapshots_every > 0 && (n + 1) % plan_.snapshots_every == 0) {
        for (int k = 0; k < dim; ++k) snapshot[k * size()] = t.state[k];
        snapshot += dim * size();
        const Invariants now = invariants(t.state);
        for (int k = 0; k < n_kept(); ++k) snapshot[k * size()] = now[k];
        snapshot += n_kept() * size();
      }
    }
  }

  /// Step n of trajectory i, with its crossing. If either fails, the trajectory stays where it was.
  Status step(std::int64_t n, std::int64_t i, SectionPoints& section) {
    Trajectory& t = trajectories_[i];
    Top next = t.top;
    if (const Status status = next.advance(plan_.step); status != Status::ok) return status;
    const Top::State state = next.state();
    if (crosses_section(t.state, state)) {
      const Crossing crossing = find_crossing(t, state);
      if (crossing.status != Status::ok) return crossing.status;
      section.trajectory.push_back(i);
      section.step.push_back(n);
      section.theta.push_back(crossing.theta);
      section.state.insert(section.state.end(), crossing.state.begin(), crossing.state.end());
    }
    t.top = next;
    t.state = state;
    t.steps = n + 1;
    return Status::ok;
  }

  /// Up: f_n < 0 <= f_{n+1}; down: f_n > 0 >= f_{n+1}.
  bool crosses_section(const Top::State& before, const Top::State& after) const {
    if (plan_.section.observable < 0) return false;
    const double f0 = section_function(before), f1 = section_function(after);
    return (plan_.section.up && f0 < 0 && f1 >= 0) || (plan_.section.down && f0 > 0 && f1 <= 0);
  }

  /// Bisection for the theta in (0, 1] at which the step of length theta h from t ends on the section; that step ends
  /// at `after` for theta = 1. The bracket shrinks to the spacing of doubles below 1, and its far end is taken.
  Crossing find_crossing(const Trajectory& t, const Top::State& after) const {
    const double side = section_function(t.state) < 0 ? 1 : -1;
    double near_end = 0;
    Crossing far_end{Status::ok, 1, after};
    while (far_end.theta - near_end > std::numeric_limits<double>::epsilon() / 2) {
      const double theta = (near_end + far_end.theta) / 2;
      Top trial = t.top;
      const Status status = trial.advance(theta * plan_.step);
      if (status != Status::ok) return {status, theta, t.state};
      const Top::State state = trial.state();
      if (side * section_function(state) >= 0)
        far_end = {Status::ok, theta, state};
      else
        near_end = theta;
    }
    return far_end;
  }

  bool is_invariant_step(std::int64_t step) const {
    return plan_.invariants != 0 && (step % plan_.invariants_every == 0 || step == plan_.last_step);
  }

  void update_drift(Trajectory& t) const {
    const Invariants now = invariants(t.state);
    for (int k = 0; k < n_kept(); ++k) t.max_drift[k] = std::max(t.max_drift[k], std::abs(now[k] - t.invariants[k]));
  }

  /// Measured from the section's value.
  double section_function(const Top::State& x) const {
    return observe(plan_.section.observable, x) - plan_.section.value;
  }

  /// HeavyTop::observables.
  double observe(int index, const Top::State& x) const {
    if (index < dim) return x[index];
    if (index == energy_index) return energy(x);
    const double* chi = plan_.parameters + 3;
    return x[3] * chi[0] + x[4] * chi[1] + x[5] * chi[2];
  }

  /// Those of HeavyTop::invariants that the plan keeps.
  Invariants invariants(const Top::State& x) const {
    const HeavyTop::Model<double> model(plan_.parameters);
    Invariants kept{};
    int k = 0;
    for (int i = 0; i < HeavyTop::n_invariants; ++i)
      if (plan_.invariants >> i & 1u) kept[k++] = model.invariant(i, {x[0], x[1], x[2], x[3], x[4], x[5]});
    return kept;
  }

  double energy(const Top::State& x) const {
    return HeavyTop::Model<double>(plan_.parameters).energy({x[0], x[1], x[2], x[3], x[4], x[5]});
  }

  Plan plan_;
  Top prototype_;
  std::vector<Trajectory> trajectories_;
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend(const Plan& plan) { return std::make_unique<ReferenceBackend>(plan); }

MakeReference find_reference(std::string_view system, std::string_view method) {
  return system == HeavyTop::name && method == "rattle" ? make_reference_backend : nullptr;
}

}  // namespace polhode
