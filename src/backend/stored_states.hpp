// States that a segment stores on its way (polhode/run/plan.hpp), and what becomes of them: snapshots that are handed
// out, and statistics.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "backend/batch.hpp"
#include "backend/moment_tree.hpp"
#include "polhode/observer/statistics.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

/// Calls f(step) for every number of steps, counted from the start of the run, after which the segment stores states,
/// in increasing order.
template <class F>
void for_stored(const Plan& plan, const Segment& segment, const F& f) {
  const auto next = [&](std::int64_t step, std::int64_t every) {
    return every > 0 ? (step / every + 1) * every : segment.first + segment.count + 1;
  };
  for (std::int64_t step = segment.first;;) {
    step = std::min(next(step, plan.snapshots_every), next(step, plan.statistics_every));
    if (step > segment.first + segment.count) break;
    f(step);
  }
}

/// Number of times at which the segment stores states.
inline std::int64_t count_stored(const Plan& plan, const Segment& segment) {
  std::int64_t times = 0;
  for_stored(plan, segment, [&](std::int64_t) { ++times; });
  return times;
}

/// Size of a snapshot [dim + n_invariants][n], in numbers.
inline std::int64_t snapshot_size(const BatchShape& batch) { return (batch.dim + batch.n_invariants) * batch.n; }

/// Whether the states after `step` steps are handed out as a snapshot.
inline bool hands_out(const Plan& plan, std::int64_t step) {
  return plan.snapshots_every > 0 && step % plan.snapshots_every == 0;
}
inline bool has_statistics(const Plan& plan, std::int64_t step) {
  return plan.statistics_every > 0 && step % plan.statistics_every == 0;
}

/// States of which a segment takes statistics: those at step 0, if it begins there, and of all that it has stored in
/// snapshots[t][dim + n_invariants][n] those at steps divisible by statistics_every. in, out: the batches at the
/// beginning and the end of the segment. The result points into `in`, `out` and `snapshots`.
inline std::vector<StatesAt> states_for_statistics(const Plan& plan, const Segment& segment, const BatchShape& shape,
                                                   const BatchView& in, const BatchView& out, const double* snapshots) {
  std::vector<StatesAt> all;
  if (plan.statistics_every > 0 && segment.first == 0) all.push_back({shape.n, 0, in.state, out.steps});
  for_stored(plan, segment, [&](std::int64_t step) {
    if (has_statistics(plan, step)) all.push_back({shape.n, step, snapshots, out.steps});
    snapshots += snapshot_size(shape);
  });
  return all;
}

/// Reduces the snapshots that a segment has stored to those that are handed out: drops those for statistics alone.
inline void keep_handed_out(const Plan& plan, const Segment& segment, const BatchShape& shape,
                            std::pmr::vector<double>& snapshots) {
  const std::int64_t size = snapshot_size(shape);
  auto from = snapshots.begin(), to = from;
  for_stored(plan, segment, [&](std::int64_t step) {
    if (hands_out(plan, step)) to = from == to ? to + size : std::copy(from, from + size, to);
    from += size;
  });
  snapshots.resize(static_cast<std::size_t>(to - snapshots.begin()));
}

/// Number of blocks (observer/moments.hpp) of n trajectories.
inline std::int64_t count_blocks(std::int64_t n) { return (n + moments_block - 1) / moments_block; }

/// Statistics of a slice at one time.
struct SliceStatistics {
  std::vector<SampleMoments> moments;  ///< [observables]
  std::vector<std::int64_t> counts;    ///< [count_cells(plan.statistics)]
};

/// Moments [observables] of all blocks together, from moments[blocks][observables].
inline std::vector<SampleMoments> merge_blocks(const StatisticsPlan& plan, std::span<const SampleMoments> moments) {
  std::vector<MomentTree> trees;
  for (int i = 0; i < plan.count; ++i) trees.emplace_back(plan.wrapped >> i & 1);
  for (std::size_t k = 0; k < moments.size(); ++k) trees[k % trees.size()].add(moments[k]);
  std::vector<SampleMoments> all;
  for (const MomentTree& tree : trees) all.push_back(tree.total());
  return all;
}

}  // namespace polhode
