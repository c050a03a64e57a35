#include "ensemble/initial.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "ensemble/random_states.hpp"
#include "error.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

/// Refuses an ensemble that cannot fit before the machine runs out of memory.
void require_memory(std::int64_t n, const ResolvedRun& run) {
  static const double physical =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  // The starts are held in full, beside a vector twice as long where it grows with them; the rest in slices.
  const int copies = run.section_starts() ? 3 : 1;
  const double bytes = static_cast<double>(n) * copies * 8 * run.system->dim;
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
InitialStates from_section(const ResolvedRun& run, const SectionStarts& ensemble) {
  const SystemEntry& system = *run.system;
  const Chart& chart = *system.chart;
  const double* p = run.parameters.data();
  const auto [nu, nv] = ensemble.grid;

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
  const std::vector<std::string> branches = branch_names(chart);
  const auto branch = static_cast<int>(std::ranges::find(branches, ensemble.branch) - branches.begin());
  const int side = branch / max_chart_points, order = branch % max_chart_points;
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
      require_memory(++initial.n, run);
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

InitialStates of_states(std::vector<double> states, int dim) {
  const auto n = static_cast<std::int64_t>(states.size()) / dim;
  return {.n = n, .state = std::move(states), .remark = {}};
}

InitialStates starts_of(const ResolvedRun& run, const SectionStarts& starts, const ReadStates&) {
  return from_section(run, starts);
}
InitialStates starts_of(const ResolvedRun& run, const GivenStarts& starts, const ReadStates&) {
  return of_states(starts.states.numbers, run.system->dim);
}
InitialStates starts_of(const ResolvedRun& run, const FileStarts& starts, const ReadStates& read) {
  return of_states(read(starts.path, starts.dataset, run.system->dim), run.system->dim);
}
InitialStates starts_of(const ResolvedRun& run, const RandomStarts& starts, const ReadStates&) {
  require_memory(starts.count, run);
  return of_states(draw_states(run, starts), run.system->dim);
}

/// Bit i: invariant i of the system is recorded, because it is one on the orbit of every state.
std::uint32_t kept_invariants(const ResolvedRun& run, const std::vector<double>& states) {
  if (!run.spec.record.invariants) return 0;
  const auto holds = [&](int i) {
    for (std::size_t k = 0; k < states.size(); k += run.system->dim)
      if (!run.system->conserves(run.parameters.data(), states.data() + k, i)) return false;
    return true;
  };
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < run.system->invariants.size(); ++i)
    if (holds(static_cast<int>(i))) kept |= std::uint32_t{1} << i;
  return kept;
}

/// What a run with a section takes from its points.
PointSelection selection_of(const ResolvedRun& run) {
  static_assert(max_density_cells < std::numeric_limits<std::uint32_t>::max(), "points hold the number of their cell");
  PointSelection selection{.where = run.where, .axes = {}, .points = run.spec.section->points};
  if (const auto& density = run.spec.density)
    for (int i = 0; i < 2; ++i)
      selection.axes[i] = {run.axes[i], density->bins[i], density->range[i][0], density->range[i][1]};
  return selection;
}

}  // namespace

InitialStates make_initial_states(const ResolvedRun& run, const ReadStates& read) {
  const SystemEntry& system = *run.system;
  const int dim = system.dim;
  InitialStates initial =
      std::visit([&](const auto& starts) { return starts_of(run, starts, read); }, run.spec.ensemble);
  if (initial.n == 0) throw InputError("the ensemble is empty (it has no states). Give at least one.");
  Preparation most;  // that any state was moved
  for (std::int64_t k = 0; k < initial.n; ++k) {
    double* x = initial.state.data() + k * dim;
    for (int i = 0; i < dim; ++i)
      if (!std::isfinite(x[i]))
        throw InputError(fmt::format("state {} of the ensemble cannot be used ({} is not finite). Correct it.", k,
                                     system.observables[i].name));
    const auto prepare = run.velocities() ? system.prepare_velocities : system.prepare;
    const Preparation prepared = prepare(run.parameters.data(), run.method->coefficients.momentum, x);
    if (prepared.problem)
      throw InputError(
          fmt::format("state {} of the ensemble cannot be used ({}{}). Correct it.", k, prepared.problem,
                      prepared.moved_position > 0 ? fmt::format(": by {:.2g} of it", prepared.moved_position) : ""));
    most.moved_position = std::max(most.moved_position, prepared.moved_position);
    most.moved_momentum = std::max(most.moved_momentum, prepared.moved_momentum);
    for (std::size_t i = dim; i < system.observables.size(); ++i)
      if (!std::isfinite(system.observe(run.parameters.data(), static_cast<int>(i), x)))
        throw InputError(fmt::format("state {} of the ensemble cannot be used ({} is not finite). Correct it.", k,
                                     system.observables[i].name));
  }
  if (initial.remark.empty()) initial.remark = describe_moves(most, run.velocities());
  return initial;
}

Plan make_plan(const ResolvedRun& run, const std::vector<double>& states) {
  const RunSpec& spec = run.spec;
  Plan plan{};
  std::copy(run.parameters.begin(), run.parameters.end(), plan.parameters);
  plan.method = run.method->with_sweeps(run.step, run.variant, run.parameters.data(), spec.method.step,
                                        spec.integration.precision);
  plan.step = spec.method.step;
  plan.section = {.observable = -1, .value = 0, .up = false, .down = false};
  if (const auto& section = spec.section) {
    plan.section = {run.section, section->value, section->direction != Direction::down,
                    section->direction != Direction::up, section->terminal};
    plan.selection = selection_of(run);
  }
  plan.last_step = spec.integration.steps;
  plan.invariants = kept_invariants(run, states);
  plan.invariants_every = spec.record.invariants_every;
  plan.snapshots_every = spec.record.snapshots;
  // Statistics are of snapshots, whether these are kept or not.
  if (spec.statistics) plan.snapshots_every = std::gcd(spec.record.snapshots, spec.statistics->every);
  return plan;
}

Batch make_batch(int dim, const Plan& plan, std::span<const double> states) {
  const auto n = static_cast<std::int64_t>(states.size()) / dim;
  Batch batch(shape_of(plan, n, dim));
  for (std::int64_t k = 0; k < n; ++k)
    for (int i = 0; i < dim; ++i) batch.state[i * n + k] = states[k * dim + i];
  return batch;
}

}  // namespace polhode
