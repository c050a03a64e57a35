#include "top.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "backend/run_plan.hpp"
#include "polhode/method/status.hpp"
#include "spec/method_step.hpp"

namespace polhode::bench {
namespace {

constexpr double energy = 1, momentum = 0;
constexpr int positive_pi1 = 0;

/// The valid points of a grid x grid mesh of cell centres over the section's box: [dim] after [dim].
std::vector<double> section_points(int grid) {
  const int dim = system().dim;
  const ChartRange range = system().chart_range(parameters, energy);
  const auto centre = [&](int i, double half_axis) { return half_axis * ((2 * i + 1.0) / grid - 1); };
  std::vector<double> points, x(max_chart_points * dim);
  for (int i = 0; i < grid; ++i)
    for (int j = 0; j < grid; ++j)
      if (system().chart_states(parameters, energy, momentum, positive_pi1, centre(i, range.half_axes[0]),
                                centre(j, range.half_axes[1]), x.data()) > 0)
        points.insert(points.end(), x.begin(), x.begin() + dim);
  return points;
}

}  // namespace

const SystemEntry& system() {
  static const SystemEntry* const entry = find_system("heavy-top");
  if (!entry) throw std::runtime_error("this build has no system heavy-top");
  return *entry;
}

const MethodEntry& rattle() {
  static const MethodEntry* const entry = find_method("heavy-top", "rattle");
  if (!entry) throw std::runtime_error("this build has no method rattle on heavy-top");
  return *entry;
}

int sweeps(int solver, Precision precision, double h) {
  return rattle().with_sweeps(step_of(rattle()).step_plan, solver, parameters, h, precision).most_sweeps();
}

RunPlan plan(int solver, Precision precision, const Observers& observers, double h) {
  RunPlan plan{};
  std::copy(std::begin(parameters), std::end(parameters), plan.parameters);
  plan.step = h;
  plan.step_plan = rattle().with_sweeps(step_of(rattle()).step_plan, solver, parameters, h, precision);
  plan.section = {observers.section == Observers::Section::none ? -1 : system().find_observable("gamma3"), 0, true,
                  false};
  plan.last_step = std::numeric_limits<std::int64_t>::max();  // the run goes on for as long as it is measured
  plan.invariants = observers.invariants_every > 0 ? 0b111 : 0;
  plan.invariants_every = observers.invariants_every;
  return plan;
}

Batch starts(std::int64_t n, int n_invariants) {
  // A disc fills pi/4 of its box; a few more cells than that make up for the rim.
  const int grid = static_cast<int>(std::ceil(std::sqrt(1.3 * static_cast<double>(n)))) + 2;
  const int dim = system().dim;
  const std::vector<double> points = section_points(grid);
  const std::int64_t available = static_cast<std::int64_t>(points.size()) / dim;
  if (available < n) throw std::logic_error("the grid has fewer points than trajectories");

  Batch batch(n, dim, n_invariants);
  for (std::int64_t k = 0; k < n; ++k)
    for (int i = 0; i < dim; ++i) batch.state[i * n + k] = points[(k * available / n) * dim + i];
  return batch;
}

std::vector<double> interleaved(const Batch& batch) {
  std::vector<double> states(batch.state.size());
  for (std::int64_t k = 0; k < batch.n; ++k)
    for (int i = 0; i < batch.dim; ++i) states[k * batch.dim + i] = batch.state[i * batch.n + k];
  return states;
}

bool all_ok(const Batch& batch) {
  return std::all_of(batch.code.begin(), batch.code.end(),
                     [](std::uint8_t code) { return code == static_cast<std::uint8_t>(Status::ok); });
}

}  // namespace polhode::bench
