#include "integration/report.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "integration/missed_crossings.hpp"
#include "modules/own_header.hpp"

namespace polhode {
namespace {

/// Adds the final batch of a slice, whose first trajectory is `first`, to the drifts, counts and endings of a report.
void add(RunReport& report, const Batch& slice, std::int64_t first) {
  report.unknown += std::ranges::count_if(slice.steps, [&](std::int64_t n) { return n < report.first_compared; });
  for (int i = 0; i < slice.n_invariants; ++i)
    for (std::int64_t k = 0; k < slice.n; ++k) {
      if (slice.steps[k] < report.first_compared) continue;
      RunReport::Drift& drift = report.drifts[i];
      RunReport::Change& change = has_reached_end(static_cast<Status>(slice.code[k])) ? drift : drift.early;
      const double max_drift = slice.max_drift[i * slice.n + k];
      if (std::isnan(max_drift)) continue;
      if (change.trajectory < 0 || max_drift > change.largest) change = {max_drift, first + k};
    }
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
  return std::min(spec.record.invariants_every, spec.execution.steps);
}

std::int64_t last_regular_comparison(const RunSpec& spec) {
  return spec.execution.steps / spec.record.invariants_every * spec.record.invariants_every;
}

bool keeps_earlier_drift(const RunSpec& spec, std::uint32_t invariants) {
  return invariants != 0 && spec.record.final && last_regular_comparison(spec) < spec.execution.steps;
}

RunReport start_report(const PreparedRun& prepared) {
  const ResolvedRun& run = prepared.run;
  RunReport report;
  report.trajectories = prepared.n();
  report.steps = run.spec.execution.steps;
  report.step = run.spec.method.step;
  report.system = run.system->name;
  report.method = run.method->name;
  report.solver = run.solver().name;
  report.table = run.table_in_words();
  report.composition = run.composition_in_words();
  report.section = describe_section(run.spec);
  report.backend = prepared.chosen.name;
  report.device = prepared.chosen.backend->device();
  report.isa = prepared.chosen.backend->isa();
  report.remarks = prepared.initial.remarks;
  if (run.system->own && run.system->own->formulas)
    report.remarks.insert(report.remarks.begin(),
                          std::string("the formulas are taken as ") + run.system->own->formulas->in_words());
  report.first_compared = first_compared(run.spec);
  for (std::size_t i = 0; i < run.system->invariants.size(); ++i)
    if (prepared.plan.invariants >> i & 1u) report.drifts.push_back({{}, run.system->invariants[i].name});
  report.meanings = run.system->status_meanings();
  report.long_steps = prepared.plan.section.long_steps;
  report.open = run.system->open;
  if (run.system->system_in_space) report.system_in_space = run.system->system_in_space;
  return report;
}

RunReport make_report(const PreparedRun& prepared, const IntegrationReport& done, const Sink& sink,
                      std::int64_t first) {
  RunReport report = start_report(prepared);
  report.done = done;
  if (!done.complete) {
    report.drifts.clear();
    return report;
  }
  const std::int64_t first_of_sink = first;
  sink.for_each_final([&](const Batch& slice) {
    add(report, slice, first);
    first += slice.n;
  });
  report.missed = estimate_missed(prepared, first_of_sink, sink.layout().n);
  return report;
}

}  // namespace polhode
