// Puts a result file together from what a run has left in its part folder.
#pragma once

#include <filesystem>
#include <span>

#include "backend/batch.hpp"
#include "output/journal.hpp"
#include "output/run_description.hpp"

namespace polhode {

inline constexpr int result_schema = 1;

/// What goes into a result file.
struct RunResult {
  const RunDescription& description;
  BatchShape ensemble;
  std::int64_t slice;               ///< trajectories of every slice but the last, which follow one another
  std::span<const double> initial;  ///< states at step 0, [n][dim]
  const Journal& final;             ///< final batches of the slices
  const Journal& section;     ///< of a slice in any order of trajectories, each with its points in the order of steps
  const Journal& snapshots;   ///< all but the initial state
  const Journal* statistics;  ///< the start's first; of a run with statistics
};

/// Writes the file and waits until it is on the disk. Takes 8 bytes per section point of a slice and some blocks of
/// memory, beside pages of the journals that the system can drop.
void assemble(const std::filesystem::path& path, const RunResult& result);

}  // namespace polhode
