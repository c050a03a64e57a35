// A run whose result is a file: shared out among ranks, with journals and checkpoints that it can be resumed from.
#pragma once

#include "driver/inputs.hpp"

namespace polhode {

struct FileRun {
  RunReport report;        ///< of all ranks; of an interrupted run that of this one
  std::int64_t slice = 0;  ///< trajectories of every slice but the last
};

/// Runs to the end on all ranks together, or until `progress` of one of them returns false, which leaves a checkpoint.
/// Throws Error, the same on all of them.
FileRun run(Inputs inputs, Ranks& ranks, const Progress& progress);

}  // namespace polhode
