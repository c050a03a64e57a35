// polhode workprec: the table, for people or as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accuracy/work_precision.hpp"
#include "cli/accuracy_command.hpp"
#include "cli/accuracy_json.hpp"
#include "cli/commands.hpp"
#include "cli/numbers.hpp"
#include "spec/key.hpp"

namespace polhode {
namespace {

/// Errors of states from this size on say nothing of a method.
constexpr double largest_error = 0.5;

/// What is not known to be above a bound is said to be below it; nothing where it is not known at all.
std::string error_text(double error, bool resolved, double known_from) {
  if (std::isnan(error)) return "";
  if (resolved) return fmt::format("{:.1e}", error);
  return std::isnan(known_from) ? "" : fmt::format("<{:.1e}", known_from);
}

void print_head(const Orbits& orbits, const WorkPrecisionReport& report) {
  fmt::print("{}: {} over a time of {}{}, {} precision, one thread, {}\n", orbits.run().system->name,
             counted(report.trajectories, "trajectory", "trajectories"), as_written(report.time),
             report.section.empty() ? "" : ", section " + report.section,
             name_of(orbits.run().spec.integration.precision), report.isa);
  for (const WorkPrecisionReference& reference : report.references)
    fmt::print("  reference: {}, step {:.6g}; half the step changes its states by {:.1e}{}\n", reference.label,
               reference.step, reference.change,
               reference.failed == 0 ? "" : "; " + counted(reference.failed, "trajectory fails", "trajectories fail"));
  if (report.references.size() < 2)
    fmt::print("  there is no second reference: small errors are not known\n");
  else
    fmt::print("  they are {:.1e} apart{}{}\n", report.states_apart,
               std::isnan(report.points_apart) ? "" : fmt::format(", section points {:.1e}", report.points_apart),
               report.independent ? "" : ", by one step map");
  if (!(report.states_known_from < largest_error))
    fmt::print("  which is too much to know errors from. Shorten the time (--steps)\n");
  for (const UnusableMethod& method : report.unusable) fmt::print("  without {}: {}\n", method.label, method.why);
}

/// What a row's medians leave out.
std::string remark(const WorkPrecisionRow& row) {
  std::string text;
  if (row.failed > 0) text += fmt::format("  {} fail", row.failed);
  if (row.other_counts > 0) text += fmt::format("  {} with other points", row.other_counts);
  return text;
}

void print_curves(const WorkPrecisionReport& report) {
  std::size_t width = 6;
  for (const WorkPrecisionCurve& curve : report.curves) width = std::max(width, curve.variant.label.size());
  fmt::print("\n{:<{}}  {:>10}  {:>9}  {:>9}  {:>8}  {:>8}  {:>8}\n", "method", width, "step", "ns", "stages", "state",
             "points", "energy");
  for (const WorkPrecisionCurve& curve : report.curves)
    for (const WorkPrecisionRow& row : curve.rows) {
      if (!(row.state < largest_error)) continue;
      fmt::print("{:<{}}  {:>10}  {:>9.4g}  {:>9.4g}  {:>8}  {:>8}  {:>8}{}\n", curve.variant.label, width,
                 fmt::format("{:.5g}", row.step), row.nanoseconds, row.stages,
                 error_text(row.state, row.state_resolved, report.states_known_from),
                 error_text(row.points, row.points_resolved, report.points_known_from), error_text(row.energy, true, 0),
                 remark(row));
    }
  fmt::print(
      "\nns, stages: for a unit of time of a trajectory; state, points: relative errors at the end and on the "
      "section;\n"
      "energy: the largest |H - H(0)|; medians, of states in error by less than {}. --json has all\n",
      largest_error);
}

void print_cheapest(const WorkPrecisionReport& report) {
  for (double error = 0.1; error > report.states_known_from; error /= 10) {
    const auto [curve, row] = cheapest(report, error);
    if (!row) break;
    if (error == 0.1) fmt::print("\ncheapest for an error of the state of\n");
    fmt::print("  {:.0e}  {}, step {:.5g}: {:.4g} ns\n", error, curve->variant.label, row->step, row->nanoseconds);
  }
}

}  // namespace

ExitCode workprec_command(const ResolvedRun& run, const AccuracyOptions& options) {
  check_json_file(options.output, options.force);
  const AccuracyProgress progress;
  const Orbits orbits = progress.orbits(run, options);
  const WorkPrecisionReport report = measure_work_precision(
      orbits, options.methods, [&](const std::string& label, std::int64_t done, std::int64_t all) {
        progress.show([&] { return all > 0 ? fmt::format("{}: {} of {}", label, done, all) : label; });
      });
  progress.clear();
  const nlohmann::ordered_json json = to_json(orbits, report);
  write_json_file(options.output, json);
  if (options.json) {
    fmt::print("{}\n", json.dump(2));
  } else {
    print_head(orbits, report);
    print_curves(report);
    print_cheapest(report);
  }
  return ExitCode::done;
}

}  // namespace polhode
