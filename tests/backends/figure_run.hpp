// Runs of the top of MS Figure 1, and their states step by step.
#pragma once

#include "backends/support.hpp"
#include "polhode/math/vec.hpp"

namespace polhode::test {

/// On two threads, in one segment.
inline Outcome run_figure(const RunPlan& plan, const Batch& batch, std::int64_t steps) {
  return run_all(*make_cpu(plan, best_isa(), 2), batch, steps, steps);
}

inline constexpr int snapshot_rows = 6 + n_common_invariants;

/// State of trajectory k after step n >= 1 from snapshots at every step.
inline Vec<double, 6> snapshot(const Outcome& outcome, std::int64_t n, std::int64_t k) {
  Vec<double, 6> x;
  for (int i = 0; i < 6; ++i) x[i] = outcome.snapshots[((n - 1) * snapshot_rows + i) * outcome.batch.n + k];
  return x;
}

}  // namespace polhode::test
