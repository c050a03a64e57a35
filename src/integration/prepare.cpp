#include "integration/prepare.hpp"

#include "result/records.hpp"

namespace polhode {

RunLayout Prepared::layout(std::int64_t trajectories, std::int64_t slice) const {
  RunLayout layout{shape_of(plan, trajectories, run.system->dim), slice, 0};
  if (const auto& statistics = run.spec.statistics)
    layout.statistics_bytes = statistics_record_bytes(statistics->observables.size(), statistics->bins);
  layout.final_states = run.spec.record.final;
  return layout;
}

std::span<const double> Prepared::states(std::int64_t first, std::int64_t count) const {
  const std::int64_t dim = run.system->dim;
  return std::span(starts.state).subspan(first * dim, count * dim);
}

Prepared prepare(const RunSpec& spec, const ReadStates& read, const StartsProgress& progress) {
  Prepared prepared{.run = resolve(spec), .starts = {}, .plan = {}, .chosen = {}};
  prepared.starts = make_initial_states(prepared.run, read, progress);
  prepared.plan = make_plan(prepared.run, prepared.starts.state);
  prepared.chosen = make_backend(prepared.run, prepared.plan);
  return prepared;
}

}  // namespace polhode
