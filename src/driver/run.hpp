// A run whose result is a file: shared out among ranks, with journals and checkpoints that it can be resumed from.
#pragma once

#include "parallel/ranks.hpp"
#include "polhode/core/report.hpp"
#include "spec/configuration.hpp"

namespace polhode {

struct RunOptions {
  bool resume = false, force = false, quiet = false;
};

struct FileRun {
  RunReport report;        ///< of all ranks; of an interrupted run that of this one
  std::int64_t slice = 0;  ///< trajectories of every slice but the last
};

/// Runs to the end, or to Ctrl-C, which leaves a checkpoint, on all ranks together. Throws Error, the same on all of
/// them; nothing is written for input that is rejected.
FileRun run(const Configuration& configuration, const RunOptions& options, Ranks& ranks);

}  // namespace polhode
