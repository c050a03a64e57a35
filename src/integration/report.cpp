#include "integration/report.hpp"

#include <algorithm>
#include <limits>

#include "integration/missed_crossings.hpp"

namespace polhode {
namespace {

/// Adds a slice that begins with the trajectory `first`.
void add(RunReport& report, const Batch& slice, std::int64_t first) {
  report.unknown += std::ranges::count_if(slice.steps, [&](std::int64_t n) { return n < report.first_compared; });
  for (int i = 0; i < slice.n_invariants; ++i)
    for (std::int64_t k = 0; k < slice.n; ++k)
      report.drifts[i].largest = std::max(report.drifts[i].largest, slice.max_drift[i * slice.n + k]);
  for (const std::int64_t count : slice.round_off) {
    report.round_off += count;
    report.with_round_off += count > 0;
  }
  for (std::int64_t k = 0; k < slice.n; ++k) {
    Ending& ending = report.endings[slice.code[k]];
    if (ending.count++ == 0) {
      ending.first = first + k;
      ending.step = slice.steps[k];
    }
  }
}

}  // namespace

std::int64_t first_compared(const RunSpec& spec) {
  return std::min(spec.record.invariants_every, spec.integration.steps);
}

RunReport start_report(const Prepared& prepared) {
  const ResolvedRun& run = prepared.run;
  RunReport report;
  report.trajectories = prepared.n();
  report.steps = run.spec.integration.steps;
  report.step = run.spec.method.step;
  report.system = run.system->name;
  report.method = run.method->name;
  report.solver = run.solver().solver;
  report.composition = run.composition_in_words();
  report.section = describe_section(run.spec);
  report.backend = prepared.chosen.name;
  report.device = prepared.chosen.backend->device();
  report.isa = prepared.chosen.backend->isa();
  report.remarks = prepared.initial.remarks;
  report.first_compared = first_compared(run.spec);
  for (std::size_t i = 0; i < run.system->invariants.size(); ++i)
    if (prepared.plan.invariants >> i & 1u) report.drifts.push_back({run.system->invariants[i].name, 0});
  return report;
}

void forget_unknown_drifts(RunReport& report) {
  if (report.unknown < report.trajectories) return;
  for (RunReport::Drift& drift : report.drifts) drift.largest = std::numeric_limits<double>::quiet_NaN();
}

RunReport make_report(const Prepared& prepared, const Integrated& done, const Sink& sink, std::int64_t first) {
  RunReport report = start_report(prepared);
  report.done = done;
  if (!done.complete) {
    report.drifts.clear();
    return report;
  }
  const std::int64_t of_sink = first;
  sink.for_each_final([&](const Batch& slice) {
    add(report, slice, first);
    first += slice.n;
  });
  forget_unknown_drifts(report);
  report.missed = estimate_missed(prepared, of_sink, sink.layout().n);
  return report;
}

}  // namespace polhode
