#include "ensemble/initial.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "ensemble/random_states.hpp"
#include "error.hpp"
#include "output/result_file.hpp"

namespace polhode {
namespace {

// A start takes tens of bytes; more cells than this are a mistake.
constexpr std::int64_t max_cells = std::int64_t{1} << 32;

/// Refuses an ensemble that cannot fit before the machine runs out of memory.
void require_memory(std::int64_t n, const RunSpec& spec) {
  static const double physical =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  // The starts are held in full, beside a vector twice as long where it grows with them; the rest in slices.
  const int copies = spec.ensemble.from == EnsembleSpec::From::section ? 3 : 1;
  const double bytes = static_cast<double>(n) * copies * 8 * spec.system->dim;
  if (bytes > physical)
    throw InputError(fmt::format(
        "the ensemble does not fit into memory ({} trajectories or more need {:.0f} GB of {:.0f}). Use fewer.", n,
        bytes / 1e9, physical / 1e9));
}

/// Which grid points have a start, and where several states lie on a side of the chart, on which branches they are.
std::string describe_starts(const Chart& chart, int side, int order, const std::vector<std::int64_t>& points_on,
                            std::int64_t cells) {
  const auto& names = chart.branches[side];
  std::string text = fmt::format("{} of {} grid points have a start on branch {}, {} have none", points_on[order],
                                 cells, names[order], cells - points_on[order]);
  const char* separator = "; ";
  for (int k = 0; k < max_chart_points; ++k) {
    if (k == order || points_on[1] == 0 || points_on[k] == 0) continue;
    text += fmt::format("{}{} have a state on {}", separator, points_on[k], names[k]);
    separator = ", ";
  }
  return text;
}

/// Centres of the cells of the box around the energy surface, in the plane of the section's chart.
InitialStates from_section(const RunSpec& spec) {
  const SystemEntry& system = *spec.system;
  require_chart(system);
  const Chart& chart = *system.chart;
  const EnsembleSpec& ensemble = spec.ensemble;
  const double* p = spec.parameters.data();
  const auto [nu, nv] = ensemble.grid;
  if (nu < 1 || nv < 1 || nu > max_cells / nv)
    throw InputError(
        fmt::format("cannot use ensemble.grid = [{}, {}] (each must be positive, with at most 2^32 cells). Give "
                    "the cells along {} and {}.",
                    nu, nv, chart.axes[0].name, chart.axes[1].name));

  const ChartRange range = system.chart_range(p, ensemble.energy);
  if (ensemble.energy < range.least_energy)
    throw InputError(
        fmt::format("no state of the section {} has energy {} (the least is {:.6g}). Change "
                    "ensemble.energy.",
                    chart.section, ensemble.energy, range.least_energy));
  if (std::abs(ensemble.momentum) > range.most_momentum)
    throw InputError(
        fmt::format("no state of the section {} has momentum {} at energy {} (it is {:.6g} at most). Change "
                    "ensemble.momentum or energy.",
                    chart.section, ensemble.momentum, ensemble.energy, range.most_momentum));

  InitialStates initial;
  const int side = ensemble.branch / max_chart_points, order = ensemble.branch % max_chart_points;
  std::vector<std::int64_t> points_on(max_chart_points);
  std::vector<double> states(max_chart_points * system.dim);
  for (std::int64_t i = 0; i < nu; ++i)
    for (std::int64_t j = 0; j < nv; ++j) {
      const double u = range.half_axes[0] * (static_cast<double>(2 * i + 1) / static_cast<double>(nu) - 1);
      const double v = range.half_axes[1] * (static_cast<double>(2 * j + 1) / static_cast<double>(nv) - 1);
      const int count = system.chart_states(p, ensemble.energy, ensemble.momentum, side, u, v, states.data());
      for (int k = 0; k < count; ++k) ++points_on[k];
      if (order >= count) continue;
      const auto start = states.begin() + order * system.dim;
      initial.state.insert(initial.state.end(), start, start + system.dim);
      require_memory(++initial.n, spec);
    }
  if (initial.n == 0)
    throw InputError(fmt::format(
        "no start on the section (no point of the {} x {} grid has energy {} and momentum {} on branch {}). "
        "Change ensemble.energy, momentum, branch or grid.",
        nu, nv, ensemble.energy, ensemble.momentum, chart.branches[side][order]));
  initial.remark = describe_starts(chart, side, order, points_on, nu * nv);
  return initial;
}

/// How far states were moved to their constraints, where that is more than digits that a file would not show.
std::string describe_moves(const Preparation& most, bool velocities) {
  constexpr double noticeable = 1e-9;
  std::string text;
  const auto add = [&](const char* what, double moved) {
    if (!(moved > noticeable)) return;
    text += fmt::format("{}{} by up to {:.2g}", text.empty() ? "starts were moved to the constraints: " : ", ", what,
                        moved);
  };
  add("positions", most.moved_position);
  add(velocities ? "velocities" : "momenta", most.moved_momentum);
  return text.empty() ? text : text + " of their length";
}

}  // namespace

InitialStates make_initial_states(const RunSpec& spec) {
  const int dim = spec.system->dim;
  InitialStates initial;
  switch (spec.ensemble.from) {
    case EnsembleSpec::From::section: initial = from_section(spec); break;
    case EnsembleSpec::From::states:
      initial.state = spec.ensemble.states;
      initial.n = static_cast<std::int64_t>(initial.state.size()) / dim;
      break;
    case EnsembleSpec::From::file: {
      States states = read_states(spec.ensemble.path, spec.ensemble.dataset, dim);
      initial.n = states.n;
      initial.state = std::move(states.values);
      break;
    }
    case EnsembleSpec::From::random:
      initial.n = spec.ensemble.random.count;
      require_memory(initial.n, spec);
      initial.state = draw_states(spec);
      break;
  }
  if (initial.n == 0) throw InputError("the ensemble is empty (it has no states). Give at least one.");
  Preparation most;  // that any state was moved
  for (std::int64_t k = 0; k < initial.n; ++k) {
    double* x = initial.state.data() + k * dim;
    for (int i = 0; i < dim; ++i)
      if (!std::isfinite(x[i]))
        throw InputError(fmt::format("state {} of the ensemble cannot be used ({} is not finite). Correct it.", k,
                                     spec.system->observables[i].name));
    const auto prepare = spec.ensemble.velocities ? spec.system->prepare_velocities : spec.system->prepare;
    const Preparation prepared = prepare(spec.parameters.data(), spec.method->coefficients.momentum, x);
    if (prepared.problem)
      throw InputError(
          fmt::format("state {} of the ensemble cannot be used ({}{}). Correct it.", k, prepared.problem,
                      prepared.moved_position > 0 ? fmt::format(": by {:.2g} of it", prepared.moved_position) : ""));
    most.moved_position = std::max(most.moved_position, prepared.moved_position);
    most.moved_momentum = std::max(most.moved_momentum, prepared.moved_momentum);
    for (std::size_t i = dim; i < spec.system->observables.size(); ++i)
      if (!std::isfinite(spec.system->observe(spec.parameters.data(), static_cast<int>(i), x)))
        throw InputError(fmt::format("state {} of the ensemble cannot be used ({} is not finite). Correct it.", k,
                                     spec.system->observables[i].name));
  }
  if (initial.remark.empty()) initial.remark = describe_moves(most, spec.ensemble.velocities);
  return initial;
}

Batch make_batch(const RunSpec& spec, const Plan& plan, std::span<const double> states) {
  const int dim = spec.system->dim;
  const auto n = static_cast<std::int64_t>(states.size()) / dim;
  Batch batch(shape_of(plan, n, dim));
  for (std::int64_t k = 0; k < n; ++k)
    for (int i = 0; i < dim; ++i) batch.state[i * n + k] = states[k * dim + i];
  return batch;
}

}  // namespace polhode
