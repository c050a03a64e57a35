// polhode order: the table, for people or as JSON.
#include "accuracy/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accuracy/method_variants.hpp"
#include "cli/accuracy_command.hpp"
#include "cli/accuracy_json.hpp"
#include "cli/commands.hpp"
#include "cli/numbers.hpp"

namespace polhode {
namespace {

/// Reason, in words, why no order was measured: no two successive rows are in range (OrderRow::in_range).
const char* why_no_order(const OrderReport& report) {
  const auto is_known = [](const OrderRow& row) { return !std::isnan(row.apart); };
  if (std::ranges::none_of(report.rows, is_known)) return "by no two steps do half of the trajectories come to the end";
  return "no two differences in turn are of eight steps or more, below a hundredth and above round-off";
}

void print_text(const Orbits& orbits, const OrderReport& report) {
  const ResolvedRun& run = orbits.run();
  fmt::print("{} by {} ({}): {} after a time of {}\n", run.system->name, in_words(*run.method, run.spec.method),
             run.solver().name, counted(report.trajectories, "trajectory", "trajectories"), as_written(report.time));
  fmt::print("{:>12}  {:>9}  {:>20}  {:>6}\n", "step", "steps", "from half the step", "order");
  for (const OrderRow& row : report.rows)
    fmt::print("{:>12}  {:>9}  {:>20}  {:>6}\n", fmt::format("{:.6g}", row.step), row.steps,
               std::isnan(row.apart) ? "fails" : fmt::format("{:.2e}", row.apart),
               std::isnan(row.order) ? "" : fmt::format("{:.2f}", row.order));
  if (std::isnan(report.measured))
    fmt::print("no order can be seen: {}\n", why_no_order(report));
  else
    fmt::print("order {:.2f}{}, declared {}{}\n", report.measured,
               report.settled ? "" : " (the steps are not in the asymptotic range)", report.declared,
               report.declared_is_bound ? " or more" : "");
}

}  // namespace

ExitCode order_command(const ResolvedRun& run, const AccuracyOptions& options) {
  check_json_file(options.output, options.force);
  const AccuracyProgress progress;
  const Orbits orbits = progress.orbits(run, options);
  const OrderReport report = measure_order(orbits, [&](double step, std::int64_t done, std::int64_t steps) {
    progress.show([&] { return fmt::format("steps of {:g}: {} of {}", step, done, steps); });
  });
  progress.clear();
  const nlohmann::ordered_json json = to_json(orbits, report);
  write_json_file(options.output, json);
  if (options.json)
    fmt::print("{}\n", json.dump(2));
  else
    print_text(orbits, report);
  return std::isnan(report.measured) ? ExitCode::failed : ExitCode::done;
}

}  // namespace polhode
