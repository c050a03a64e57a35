// Shares of an ensemble on the ranks: whole slices, one after another. The file of a run does not depend on them:
// statistics alone are merged over slices, and come out the same for all slices of a power of two of trajectories.
#pragma once

#include <algorithm>
#include <cstdint>

namespace polhode {

/// Trajectories of an ensemble that one rank integrates.
struct ShareOfEnsemble {
  std::int64_t first, count;
};

/// Share of the rank `rank`, one of 0, ..., ranks - 1, in an ensemble whose slices have `slice` trajectories.
inline ShareOfEnsemble share_of(std::int64_t trajectories, std::int64_t slice, int rank, int ranks) {
  const std::int64_t slices = (trajectories + slice - 1) / slice;
  // Not slices * rank / ranks: a few of them go to the first ranks, which so have all of their slices full.
  const auto begin = [&](std::int64_t r) {
    return std::min(trajectories, slice * (slices / ranks * r + std::min(r, slices % ranks)));
  };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

/// Number of trajectories of a slice: `preferred`, halved until no rank has over nine eighths of trajectories / ranks,
/// or a slice at most 1024 trajectories.
inline std::int64_t fair_slice(std::int64_t trajectories, std::int64_t preferred, int ranks) {
  std::int64_t slice = preferred;
  while (slice > 1024 && share_of(trajectories, slice, 0, ranks).count * ranks * 8 > trajectories * 9) slice /= 2;
  return slice;
}

}  // namespace polhode
