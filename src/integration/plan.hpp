// Plan of a run, and the batches that it begins with.
#pragma once

#include <cstdint>

#include "backend/batch.hpp"
#include "backend/run_plan.hpp"
#include "ensemble/starts.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

/// Plan of a run for the backends. Bit i of invariants: invariant i is conserved on the orbits of the run's starts.
RunPlan make_plan(const ResolvedRun& run, std::uint32_t invariants);

/// Batch at step 0 of trajectories first, ..., first + count - 1, made by at most `threads` threads; 0: one for each
/// processor.
Batch make_batch(const RunPlan& plan, const Starts& starts, std::int64_t first, std::int64_t count,
                 std::int64_t threads);
/// Batch at step 0 of all trajectories, made by this thread alone.
inline Batch make_batch(const RunPlan& plan, const Starts& starts) {
  return make_batch(plan, starts, 0, starts.count(), 1);
}

}  // namespace polhode
