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

/// Median error of the states from which on a row is not printed: such errors say nothing of a method.
constexpr double largest_error = 0.5;

/// Text of an error; "<" and `known_from` where the error is no greater than that; empty where either is NaN.
std::string error_text(double error, double known_from) {
  if (std::isnan(error)) return "";
  if (error > known_from) return fmt::format("{:.1e}", error);
  return std::isnan(known_from) ? "" : fmt::format("<{:.1e}", known_from);
}

/// A share of the orbits as a heading, e.g. "90%"; "largest" for all orbits.
std::string name_of_share(double share) { return share < 1 ? fmt::format("{:.0f}%", 100 * share) : "largest"; }

std::string chaotic_text(const WorkPrecisionReport& report) {
  if (!report.chaotic) return "how many orbits are chaotic over this time is unknown: no method is a reference";
  if (*report.chaotic == 0) return "no orbit is chaotic over this time";
  return fmt::format("{} of {} orbits {} chaotic over this time, where errors grow exponentially", *report.chaotic,
                     report.trajectories, *report.chaotic == 1 ? "is" : "are");
}

void print_head(const Orbits& orbits, const WorkPrecisionReport& report) {
  fmt::print("{}: {} over a time of {}{}, {} precision, one thread, {}\n", orbits.run().system->name,
             counted(report.trajectories, "trajectory", "trajectories"), as_written(report.time),
             report.section.empty() ? "" : ", section " + report.section,
             name_of(orbits.run().spec.execution.precision), report.isa);
  for (const WorkPrecisionReference& reference : report.references)
    fmt::print("  reference: {}, step {:.6g}; half the step changes its states by {:.1e}{}\n", reference.label,
               reference.step, reference.change.median(),
               reference.failed == 0 ? "" : "; " + counted(reference.failed, "trajectory fails", "trajectories fail"));
  if (report.references.size() < 2)
    fmt::print("  there is no second reference: small errors are not known\n");
  else
    fmt::print("  they are {:.1e} apart, {:.1e} in {} of the orbits{}{}\n", report.states_apart.median(),
               report.states_apart.of[most_of_them], name_of_share(shares[most_of_them]),
               std::isnan(report.points_apart.median())
                   ? ""
                   : fmt::format(", section points {:.1e}", report.points_apart.median()),
               report.independent ? "" : ", by one step map");
  if (!(report.states_known_from.median() < largest_error))
    fmt::print("  which is too much to know errors from. Shorten the time (--steps)\n");
  fmt::print("  {}\n", chaotic_text(report));
  for (const UnusableMethod& method : report.unusable) fmt::print("  without {}: {}\n", method.label, method.why);
}

/// Trajectories of a row that fail, or have another number of section points than the reference, in words.
std::string remark(const WorkPrecisionRow& row) {
  std::string text;
  if (row.failed > 0) text += fmt::format("  {} fail", row.failed);
  if (row.other_counts > 0) text += fmt::format("  {} with other points", row.other_counts);
  return text;
}

void print_curves(const WorkPrecisionReport& report) {
  std::size_t width = 6;
  for (const WorkPrecisionCurve& curve : report.curves) width = std::max(width, curve.variant.label.size());
  fmt::print("\n{:<{}}  {:>10}  {:>9}  {:>9}", "method", width, "step", "ns", "stages");
  for (const double share : shares)
    fmt::print("  {:>8}", share == shares[half_of_them] ? "state " + name_of_share(share) : name_of_share(share));
  fmt::print("  {:>8}  {:>8}\n", "points", "energy");
  for (const WorkPrecisionCurve& curve : report.curves)
    for (const WorkPrecisionRow& row : curve.rows) {
      if (!(row.state.median() < largest_error)) continue;
      fmt::print("{:<{}}  {:>10}  {:>9.4g}  {:>9.4g}", curve.variant.label, width, fmt::format("{:.5g}", row.step),
                 row.nanoseconds, row.stages);
      for (std::size_t i = 0; i < shares.size(); ++i)
        fmt::print("  {:>{}}", error_text(row.state.of[i], report.states_known_from.of[i]), i == half_of_them ? 9 : 8);
      fmt::print("  {:>8}  {:>8}{}\n", error_text(row.points.median(), report.points_known_from.median()),
                 error_text(row.energy, -1), remark(row));
    }
  fmt::print(
      "\nns, stages: for a unit of time of a trajectory; state: the relative error at the end that so many of the "
      "orbits do not exceed;\n"
      "points: that on the section, energy: the largest |H - H(0)|, medians. Rows with a median below {}; --json has "
      "all\n",
      largest_error);
}

void print_cheapest(const WorkPrecisionReport& report, std::size_t share) {
  for (double error = 0.1; error > report.states_known_from.of[share]; error /= 10) {
    const auto [curve, row] = cheapest(report, error, share);
    if (!row) break;
    if (error == 0.1)
      fmt::print("\ncheapest for an error of the state, in {} of the orbits, of\n", name_of_share(shares[share]));
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
    for (const std::size_t share : {half_of_them, most_of_them}) print_cheapest(report, share);
  }
  return ExitCode::done;
}

}  // namespace polhode
