#include "integration/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>

#include "spec/schema.hpp"

namespace polhode {
namespace {

/// Selection of the section points of a run, and the axes of its density.
PointSelection selection_of(const ResolvedRun& run) {
  static_assert(max_density_cells < std::numeric_limits<std::uint32_t>::max(), "points hold the number of their cell");
  PointSelection selection{.where = run.where, .axes = {}, .points = run.spec.section->points};
  if (const auto& density = run.spec.density)
    for (int i = 0; i < 2; ++i)
      selection.axes[i] = {run.axes[i], density->bins[i], density->range[i][0], density->range[i][1],
                           run.system->counts_turns(run.axes[i])};
  return selection;
}

StatisticsPlan make_statistics_plan(const ResolvedRun& run) {
  const StatisticsSpec& spec = *run.spec.statistics;
  StatisticsPlan plan{.bins = spec.bins, .count = static_cast<int>(run.observables.size()), .axes = {}};
  for (int i = 0; i < plan.count; ++i) {
    plan.axes[i].observable = run.observables[i];
    const Angle angle = run.system->observables[run.observables[i]].angle;
    if (angle == Angle::unbounded) plan.unbounded |= std::uint64_t{1} << i;
    if (angle == Angle::wrapped) plan.wrapped |= std::uint64_t{1} << i;
    if (spec.bins > 0) std::tie(plan.axes[i].low, plan.axes[i].high) = std::tie(spec.range[i][0], spec.range[i][1]);
  }
  return plan;
}

}  // namespace

RunPlan make_plan(const ResolvedRun& run, std::uint32_t invariants) {
  const RunSpec& spec = run.spec;
  RunPlan plan{};
  std::copy(run.parameters.begin(), run.parameters.end(), plan.parameters);
  plan.step_plan = run.method->with_sweeps(run.step_plan, run.solver_index, run.parameters.data(), spec.method.step,
                                           spec.execution.precision);
  plan.step = spec.method.step;
  plan.section = {.observable = -1, .value = 0, .up = false, .down = false};
  if (const auto& section = spec.section) {
    const Angle angle = run.system->observables[run.section].angle;
    const bool is_at_jump = run.section_is_at_jump();
    plan.section = {run.section,
                    section->value,
                    !is_at_jump && section->direction != Direction::down,
                    !is_at_jump && section->direction != Direction::up,
                    section->terminal,
                    run.properties.long_steps,
                    angle == Angle::unbounded,
                    angle == Angle::wrapped};
    plan.selection = selection_of(run);
  }
  plan.last_step = spec.execution.steps;
  plan.added = run.system->added;
  plan.invariants = spec.record.invariants ? invariants & run.all_invariants() : 0;
  if (const auto& limit = spec.execution.energy_limit) {
    plan.energy = std::uint32_t{1} << run.system->find_energy() & plan.invariants;
    plan.energy_limit = *limit;
  }
  plan.invariants_every = spec.record.invariants_every;
  plan.snapshots_every = spec.record.snapshots;
  if (spec.statistics) {
    plan.statistics_every = spec.statistics->every;
    plan.statistics = make_statistics_plan(run);
  }
  return plan;
}

Batch make_batch(const RunPlan& plan, const Starts& starts, std::int64_t first, std::int64_t count,
                 std::int64_t threads) {
  Batch batch(shape_of(plan, count, starts.dim()));
  starts.copy_columns(first, count, threads, batch.state.data());
  return batch;
}

}  // namespace polhode
