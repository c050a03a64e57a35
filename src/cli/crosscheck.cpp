// polhode crosscheck: the report, for people or as JSON.
#include "crosscheck/crosscheck.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "output/result_file.hpp"

namespace polhode {
namespace {

void print_text(const CrosscheckReport& report) {
  fmt::print("{}\n", report.subject);
  for (const Finding& finding : report.findings)
    fmt::print("  {:7}  {}: {}\n", verdict_names[static_cast<int>(finding.verdict)], finding.subject, finding.text);
  fmt::print("{}\n", !report.all_kept() ? "a promise is broken"
                     : report.compared  ? "every promise that could be checked is kept"
                                        : "nothing compared: no trajectory completed a step");
}

void print_json(const CrosscheckReport& report) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const Finding& finding : report.findings)
    findings.push_back({{"subject", finding.subject},
                        {"promise", finding.promise},
                        {"verdict", verdict_names[static_cast<int>(finding.verdict)]},
                        {"text", finding.text},
                        {"figures", finding.figures}});
  const nlohmann::ordered_json json{
      {"subject", report.subject}, {"kept", report.all_kept()}, {"compared", report.compared}, {"findings", findings}};
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

ExitCode crosscheck_command(const ResolvedRun& run, const CrosscheckOptions& options, bool json) {
  const CrosscheckReport report = crosscheck(run, options, read_states_with_care);
  (json ? print_json : print_text)(report);
  return report.all_kept() && report.compared ? ExitCode::done : ExitCode::failed;
}

}  // namespace polhode
