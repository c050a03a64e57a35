#include "integration/describe.hpp"

#include "integration/report.hpp"
#include "modules/own_header.hpp"
#include "spec/configuration.hpp"
#include "spec/method_options.hpp"
#include "spec/schema.hpp"
#include "version.hpp"

namespace polhode {
namespace {

/// Picture of the section: in the plane of two columns if the starts lie in one; else in that of the system's chart if
/// the section is one of the chart's observable; else none.
std::optional<Picture> picture_of(const ResolvedRun& run) {
  if (const auto axes = run.start_axes(); !axes.empty())
    return Picture{{axes[0], axes[1]}, {axes[0], axes[1]}, {1, 1}, ""};
  const Chart* chart = run.system->chart;
  if (!run.spec.section || !chart || run.spec.section->name != chart->observable) return std::nullopt;
  const auto& [u, v] = chart->axes;
  return Picture{{u.name, v.name}, {u.column, v.column}, {u.sign, v.sign}, chart->side};
}

Column column_of(const Quantity& quantity) {
  return {quantity.name, quantity.unit, quantity.meaning, angle_names[static_cast<int>(quantity.angle)],
          quantity.angle == Angle::wrapped};
}

std::optional<Density> density_of(const ResolvedRun& run, const std::vector<std::int64_t>& counts) {
  if (!run.spec.density) return std::nullopt;
  const DensitySpec& plane = *run.spec.density;
  Density result{.axes = {},
                 .low = {plane.range[0][0], plane.range[1][0]},
                 .high = {plane.range[0][1], plane.range[1][1]},
                 .bins = {plane.bins.begin(), plane.bins.end()},
                 .counts = counts,
                 .outside = 0};
  for (const int axis : run.axes) result.axes.push_back(column_of(run.system->observables[axis]));
  if (counts.empty()) return result;
  result.outside = result.counts.back();
  result.counts.pop_back();
  return result;
}

std::optional<StatisticsDescription> statistics_of(const ResolvedRun& run) {
  if (!run.spec.statistics) return std::nullopt;
  const StatisticsSpec& statistics = *run.spec.statistics;
  StatisticsDescription result{
      .every = statistics.every, .observables = {}, .bins = statistics.bins, .low = {}, .high = {}};
  for (const int observable : run.observables)
    result.observables.push_back(column_of(run.system->observables[observable]));
  for (const auto& [low, high] : statistics.range) {
    result.low.push_back(low);
    result.high.push_back(high);
  }
  return result;
}

/// Description of the shadow energies, without the function that computes them; none if the run records none.
std::optional<ShadowDescription> shadow_of(const ResolvedRun& run) {
  const std::int64_t order = run.spec.record.shadow_energy;
  if (order == 0) return std::nullopt;
  const std::int64_t steps = order / 2;
  return ShadowDescription{.unit = run.system->observables[run.system->find_observable("energy")].unit,
                           .order = order,
                           .time_after = static_cast<double>(steps) * run.spec.method.step / 2,
                           .compute = {}};
}

}  // namespace

RunDescription describe(const PreparedRun& prepared, const std::vector<std::int64_t>& counts) {
  const auto& [run, starts, plan, chosen, shadow] = prepared;
  RunDescription description = describe(run, plan.invariants, counts);
  description.config = configuration_text(run.spec);
  description.backend = chosen.name;
  description.device = chosen.backend->device();
  description.isa = chosen.backend->isa();
  description.compiler = chosen.compiler;
  if (shadow)
    description.shadow->compute =
        [plan = Plan(plan), kernel = *shadow, steps = static_cast<int>(description.shadow->order / 2)](
            const double* states, std::int64_t n, double* values) { kernel.energies(plan, steps, states, n, values); };
  description.created = utc_now();
  description.sweeps = plan.step_plan.most_sweeps();
  return description;
}

RunDescription describe(const ResolvedRun& run, std::uint32_t invariants, const std::vector<std::int64_t>& counts) {
  const RunSpec& spec = run.spec;
  RunDescription description;
  description.version = program_version();
  description.git = program_git();
  for_each_part(spec, [&](const auto& table, const auto& part) {
    for (const auto& key : table.keys)
      if (key.attribute) description.settings.push_back({key.attribute, key.get(part)});
  });
  description.settings.push_back({"order", std::int64_t{run.properties.order}});
  for (const DocumentedKey& key : option_keys(*run.method))
    description.settings.push_back({key.attribute, spec.method.options.at(key.name)});
  if (run.system->own) description.header = describe(*run.system->own);
  if (spec.section) description.section = describe_section(spec);
  if (spec.section) description.section_points = spec.section->points;
  description.section_columns = run.section_columns;
  description.picture = picture_of(run);
  description.step = spec.method.step;
  description.steps = spec.execution.steps;
  description.snapshots_every = spec.record.snapshots;
  description.shadow = shadow_of(run);
  description.initial_states = spec.record.initial;
  description.final_states = spec.record.final;
  description.first_compared = first_compared(spec);
  if (keeps_earlier_drift(spec, invariants)) description.earlier_every = spec.record.invariants_every;
  description.statuses = run.system->status_meanings();
  for (const Quantity& column : run.system->observables.first(run.system->dim))
    description.columns.push_back(column_of(column));
  for (std::size_t i = 0; i < run.system->invariants.size(); ++i)
    if (invariants >> i & 1u) description.invariants.push_back(column_of(run.system->invariants[i]));
  const double* value = run.parameters.data();
  for (const Parameter& p : run.system->parameters) {
    description.parameters.push_back({p.name, p.unit, p.meaning, std::vector<double>(value, value + p.size)});
    value += p.size;
  }
  description.threads = spec.execution.threads;
  description.density = density_of(run, counts);
  description.statistics = statistics_of(run);
  return description;
}

}  // namespace polhode
