#include "cli/crosscheck_json.hpp"

namespace polhode {

Json to_json(const CrosscheckReport& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings)
    findings.push_back({{"subject", finding.subject},
                        {"promise", finding.promise},
                        {"verdict", verdict_names[static_cast<int>(finding.verdict)]},
                        {"text", finding.text},
                        {"figures", finding.figures}});
  return {{"subject", report.subject},
          {"kept", report.all_kept()},
          {"compared", report.compared && report.any_judged()},
          {"findings", findings}};
}

}  // namespace polhode
