// polhode crosscheck: the report, for people or as JSON.
#include "crosscheck/crosscheck.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/crosscheck_json.hpp"
#include "cli/interruption.hpp"
#include "cli/progress.hpp"
#include "output/result_file.hpp"

namespace polhode {
namespace {

/// Names of the verdicts in the text, in the order of Verdict; JSON has verdict_names (crosscheck/checks.hpp).
constexpr const char* outcomes[] = {"passed", "failed", "skipped"};

void print_text(const CrosscheckReport& report) {
  fmt::print("{}\n", report.subject);
  for (const Finding& finding : report.findings)
    fmt::print("  {:7}  {}: {}\n", outcomes[static_cast<int>(finding.verdict)], finding.subject, finding.text);
  fmt::print("{}\n", !report.all_kept()     ? "a check failed"
                     : !report.compared     ? "nothing compared: no trajectory completed a step"
                     : !report.any_judged() ? "nothing compared: every check was skipped"
                                            : "all checks passed");
}

/// Comparison of the backends on a run, with progress on a terminal. A signal during the comparison ends the program at
/// once, since a cross-check writes no file.
CrosscheckReport compare(const ResolvedRun& run, const CrosscheckOptions& options) {
  const ProgressLine line(is_terminal());
  const ExitOnInterrupt guard(
      "interrupted (a cross-check writes no file). Start it again, with fewer --steps or --trajectories.");
  Pace pace;
  line.show("preparing the trajectories");
  return crosscheck(run, options, read_states_after_trial,
                    [&](const std::string& subject, std::int64_t done, std::int64_t all) {
                      if (pace.due()) line.show(fmt::format("{}: {} of {}", subject, done, all));
                    });
}

}  // namespace

ExitCode crosscheck_command(const ResolvedRun& run, const CrosscheckOptions& options, bool json) {
  const CrosscheckReport report = compare(run, options);
  if (json)
    fmt::print("{}\n", to_json(report).dump(2));
  else
    print_text(report);
  return report.all_kept() && report.compared && report.any_judged() ? ExitCode::done : ExitCode::failed;
}

}  // namespace polhode
