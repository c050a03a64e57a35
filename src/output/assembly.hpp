// Puts a result file together from what a run has left in its part folder.
#pragma once

#include <filesystem>

#include "backend/batch.hpp"
#include "output/journal.hpp"
#include "output/run_description.hpp"

namespace polhode {

inline constexpr int result_schema = 1;

/// What goes into a result file.
struct RunResult {
  const RunDescription& description;
  const Batch& initial;                 ///< at step 0
  const Batch& final;                   ///< after the last step
  const Journal& section;               ///< in any order of trajectories, each with its points in the order of steps
  const Journal& snapshots;             ///< all but the initial state
  const Journal* statistics = nullptr;  ///< the start's first; of a run with statistics
};

/// Writes the file and waits until it is on the disk. Takes 8 bytes per section point and some blocks of memory, beside
/// pages of the journals that the system can drop.
void assemble(const std::filesystem::path& path, const RunResult& result);

}  // namespace polhode
