#include "integration/prepare.hpp"

#include <utility>

#include "integration/plan.hpp"
#include "integration/report.hpp"
#include "modules/modules.hpp"
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
  return prepare(resolve(spec), read, progress);
}

PreparedRun prepare(ResolvedRun run, const ReadStates& read, const StartsProgress& progress) {
  PreparedRun prepared{.run = std::move(run), .initial = {}, .plan = {}, .chosen = {}};
  prepared.initial = make_initial_states(prepared.run, read, progress);
  complete(prepared);
  return prepared;
}

void complete(PreparedRun& prepared, Kernels presence) {
  complete_remarks(prepared.run, prepared.initial);
  prepared.plan = make_plan(prepared.run, prepared.initial.findings.invariants);
  const ResolvedRun& run = prepared.run;
  const bool has_shadow = run.spec.record.shadow_energy > 0 && presence == Kernels::loaded;
  if (has_shadow && run.spec.execution.backend == BackendChoice::cpu && isa_supported(processor_of(run)))
    load_modules(modules_of(run, processor_of(run)));  // compiled beside each other
  prepared.chosen = make_backend(run, prepared.plan, presence);
  if (has_shadow) prepared.shadow = load_shadow(run);
}

}  // namespace polhode
