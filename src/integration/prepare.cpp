#include "integration/prepare.hpp"

#include "integration/plan.hpp"
#include "integration/report.hpp"
#include "result/records.hpp"

namespace polhode {

RunLayout PreparedRun::layout(std::int64_t trajectories, std::int64_t slice) const {
  RunLayout layout{shape_of(plan, trajectories, run.system->dim), slice, 0};
  if (const auto& statistics = run.spec.statistics)
    layout.statistics_bytes = statistics_record_bytes(statistics->observables.size(), statistics->bins);
  layout.final_states = run.spec.record.final;
  layout.section_columns = run.section_columns;
  layout.earlier_drift = keeps_earlier_drift(run.spec, plan.invariants);
  return layout;
}

PreparedRun prepare(const RunSpec& spec, const ReadStates& read, const StartsProgress& progress) {
  PreparedRun prepared{.run = resolve(spec), .initial = {}, .plan = {}, .chosen = {}};
  prepared.initial = make_initial_states(prepared.run, read, progress);
  complete(prepared);
  return prepared;
}

void complete(PreparedRun& prepared, Kernels kernels) {
  complete_remarks(prepared.run, prepared.initial);
  prepared.plan = make_plan(prepared.run, prepared.initial.findings.invariants);
  prepared.chosen = make_backend(prepared.run, prepared.plan, kernels);
}

}  // namespace polhode
