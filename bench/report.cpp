#include "report.hpp"

#include <cmath>
#include <limits>

#include "composed.hpp"
#include "constrained.hpp"
#include "cuda_measurements.hpp"
#include "equal_error.hpp"
#include "exponential.hpp"
#include "measurements.hpp"
#include "reduced.hpp"
#include "throughput/fma_peak.hpp"
#include "throughput/operations.hpp"

namespace polhode::bench {
namespace {

constexpr Column speed_column{"ns_per_step", "ns/step", "%.4g"};
constexpr Column spread_column{"spread_percent", "spread", "%.1f%%"};

double relative_spread(const Collector& collected, const std::string& name, const char* counter = ns_per_step) {
  return 100 * collected.spread(name, counter) / collected.median(name, counter);
}

Table speeds(const Collector& collected) {
  const Integrator& runge_kutta4 = integrators()[1];
  const double odeint = collected.median(speed_name(runge_kutta4), ns_per_step);
  Table table{"speed", "one core", {speed_column, spread_column, {rival_over_this, "odeint RK4 / this", "%.2f"}}, {}};
  const auto add = [&](const std::string& name) {
    const double ns = collected.median(name, ns_per_step);
    if (!std::isnan(ns)) table.rows.push_back({name, {ns, relative_spread(collected, name), odeint / ns}});
  };
  for (std::size_t i = 1; i < integrators().size(); ++i) add(speed_name(integrators()[i]));
  for (const Measurement& m : all_measurements())
    if (m.threads == 0) add(m.name());
  return table;
}

Table composed(const Collector& collected) {
  Table table{"composed",
              "composed steps, one core",
              {{"stages", "stages", "%.0f"}, speed_column, spread_column, {single_steps, "single steps", "%.2f"}},
              {}};
  for (const ComposedMeasurement& m : all_composed_measurements()) {
    const double ns = collected.median(m.name(), ns_per_step);
    if (std::isnan(ns)) continue;
    table.rows.push_back({m.name(),
                          {static_cast<double>(m.stages), ns, relative_spread(collected, m.name()),
                           collected.median(m.name(), single_steps)}});
  }
  return table;
}

Table exponential(const Collector& collected) {
  Table table{"exponential",
              "rotations as exponentials, one core",
              {speed_column,
               spread_column,
               {this_over_hadamard, "this / hadamard", "%.2f"},
               {this_over_cayley, "this / cayley", "%.2f"}},
              {}};
  for (const ExponentialMeasurement& m : all_exponential_measurements()) {
    const double ns = collected.median(m.name(), ns_per_step);
    if (!std::isnan(ns))
      table.rows.push_back({m.name(),
                            {ns, relative_spread(collected, m.name()), collected.median(m.name(), this_over_hadamard),
                             collected.median(m.name(), this_over_cayley)}});
  }
  return table;
}

Table constrained(const Collector& collected) {
  Table table{"constrained",
              "constrained systems, one core",
              {speed_column, spread_column, {rival_over_this, "odeint RK4 / this", "%.2f"}},
              {}};
  const auto add = [&](const std::string& name, double ratio) {
    const double ns = collected.median(name, ns_per_step);
    if (!std::isnan(ns)) table.rows.push_back({name, {ns, relative_spread(collected, name), ratio}});
  };
  add(constrained_rival_name(), 1);
  for (const ConstrainedMeasurement& m : all_constrained_measurements())
    add(m.name(), collected.median(m.name(), rival_over_this));
  return table;
}

Table described(const Collector& collected) {
  Table table{"described",
              "one system in three descriptions, one core",
              {speed_column, spread_column, {this_over_reduced, "this / reduced", "%.2f"}},
              {}};
  for (const DescriptionMeasurement& m : all_description_measurements()) {
    const double ns = collected.median(m.name(), ns_per_step);
    if (!std::isnan(ns))
      table.rows.push_back(
          {m.name(), {ns, relative_spread(collected, m.name()), collected.median(m.name(), this_over_reduced)}});
  }
  return table;
}

Table equal_errors(const Collector& collected) {
  Table table{"equal_error",
              "one core, for a unit of time with the longest step that reaches",
              {{"step", "step", "%.4f"},
               {"error", "error", "%.1e"},
               {"ns_per_time", "ns/time", "%.4g"},
               spread_column,
               {"this_over_rattle", "this / rattle", "%.2f"}},
              {}};
  for (const Goal& goal : all_goals()) {
    const double rattle = collected.median(goal.name(integrators().front()), ns_per_time);
    for (const Integrator& integrator : integrators()) {
      const std::string name = goal.name(integrator);
      const double ns = collected.median(name, ns_per_time);
      if (!std::isnan(ns))
        table.rows.push_back({name,
                              {collected.median(name, step_length), collected.median(name, error_reached), ns,
                               relative_spread(collected, name, ns_per_time), ns / rattle}});
    }
  }
  return table;
}

Table costs(const Collector& collected) {
  Table table{"cost",
              "cost over the run without",
              {{"percent", "percent", "%.1f%%"}, {"spread_percent", "spread", "%.1f%%"}},
              {}};
  for (const Measurement& m : all_measurements()) {
    const double cost = collected.median(m.name(), cost_percent);
    if (!std::isnan(cost)) table.rows.push_back({m.name(), {cost, collected.spread(m.name(), cost_percent)}});
  }
  return table;
}

Table threads(const Collector& collected) {
  double one = std::numeric_limits<double>::quiet_NaN();
  Table table{"threads",
              "threads, by the clock on the wall",
              {speed_column, spread_column, {"speed_up", "speed-up", "%.2f"}},
              {}};
  for (const Measurement& m : all_measurements()) {
    if (m.threads == 0) continue;
    const double ns = collected.median(m.name(), ns_per_step);
    if (m.threads == 1) one = ns;
    if (!std::isnan(ns))
      table.rows.push_back({m.name(), {ns, relative_spread(collected, m.name()), m.threads * one / ns}});
  }
  return table;
}

const std::vector<Column> share_columns = {{"sweeps", "sweeps", "%.0f"},       {"ops", "ops", "%.1f"},
                                           {"divisions", "div", "%.1f"},       {"ops_per_ns", "ops/ns", "%.2f"},
                                           {"peak_per_ns", "peak/ns", "%.2f"}, {"share_percent", "share", "%.1f%%"}};

/// Values of share_columns for a step that takes `ns`, where `lanes` of them share an operation.
std::vector<double> share(int solver, Precision precision, double lanes, double ns, double peak) {
  constexpr std::int64_t sampled = 64;
  const Operations operations =
      *operations_per_step(rattle(), solver, precision, plan(solver, precision, {}), interleaved(starts(sampled)));
  const double reached = operations.issued() / lanes / ns;
  return {static_cast<double>(sweeps(solver, precision)),
          operations.issued(),
          operations.divisions,
          reached,
          peak,
          100 * reached / peak};
}

Table share_of_limit(const Collector& collected) {
  Table table{
      "share",
      "share of the fma limit",
      share_columns,
      {},
      "ops: fma, multiply, add, subtract in a step, one issue slot each for a whole register; counted by running the\n"
      "step's source on a number that counts. Not in ops: divisions, comparisons. peak: independent fmas, same "
      "width.\n"};
  for (const Measurement& m : all_measurements()) {
    if (m.observed() || m.threads > 0 || m.trajectories != small_ensemble || register_bits(m.isa) == 0) continue;
    const double ns = collected.median(m.name(), ns_per_step), peak = collected.median(peak_name(m.isa), fmas_per_ns);
    if (std::isnan(ns) || std::isnan(peak)) continue;
    const int lanes = register_bits(m.isa) / (m.precision == Precision::binary64 ? 64 : 32);
    table.rows.push_back({m.name(), share(m.solver, m.precision, lanes, ns, peak)});
  }
  return table;
}

Table cuda(const Collector& collected) {
  Table table{"cuda",
              "whole GPU",
              {speed_column,
               spread_column,
               {"steps_per_s", "steps/s", "%.3g"},
               {"cost_percent", "cost", "%.1f%%"},
               {"points_per_s", "points/s", "%.3g"}},
              {},
              "ops and peak: scalar operations of every lane of every warp. cost: of the section, over the same run "
              "without.\n"};
  table.columns.insert(table.columns.end(), share_columns.begin(), share_columns.end());
  for (const CudaMeasurement& m : all_cuda_measurements()) {
    const double ns = collected.median(m.name(), ns_per_step);
    if (std::isnan(ns)) continue;
    CudaMeasurement plain = m;
    plain.section = false;
    const double cost = m.section ? 100 * (ns / collected.median(plain.name(), ns_per_step) - 1)
                                  : std::numeric_limits<double>::quiet_NaN();
    Row row{m.name(),
            {ns, relative_spread(collected, m.name()), collected.median(m.name(), steps_per_s), cost,
             collected.median(m.name(), points_per_s)}};
    const std::vector<double> limit =
        share(m.solver, m.precision, 1, ns, collected.median(cuda_peak_name(m.precision), fmas_per_ns));
    row.values.insert(row.values.end(), limit.begin(), limit.end());
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

std::vector<Table> report(const Collector& collected) {
  return {speeds(collected),         equal_errors(collected), costs(collected),       threads(collected),
          share_of_limit(collected), composed(collected),     exponential(collected), constrained(collected),
          described(collected),      cuda(collected)};
}

}  // namespace polhode::bench
