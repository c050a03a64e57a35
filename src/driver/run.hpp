// A run whose result is a file: shared out among ranks, with journals and checkpoints that it can be resumed from.
#pragma once

#include <string>

#include "driver/file_run.hpp"

namespace polhode {

struct FileRunOutcome {
  RunReport report;        ///< report of all ranks; of this rank where the run ended early
  std::int64_t slice = 0;  ///< trajectories per slice; the last may have fewer
  std::string stopped{};   ///< why the program itself stopped the run, on all ranks; empty where it did not
};

/// Runs to the end on all ranks together, or until `progress` returns false on one of them, or until the disk has no
/// room for a result with the section points found so far; a run that ends early leaves a checkpoint. Throws Error, the
/// same on all ranks.
FileRunOutcome run(PreparedFileRun file_run, Ranks& ranks, const Progress& progress);

}  // namespace polhode
