// A run whose result is a file, up to its first step: made of a configuration on each rank by itself, and equal on all.
// Everything that can be wrong with the input is found here, before anything is written.
#pragma once

#include <string>
#include <vector>

#include "integration/describe.hpp"
#include "integration/prepare.hpp"
#include "modules/module_source.hpp"
#include "output/part_folder.hpp"
#include "parallel/ranks.hpp"
#include "spec/configuration.hpp"

namespace polhode {

struct RunOptions {
  bool resume = false, force = false;
  bool dry = false;  ///< the run is only estimated: another run with the same output may be going on
};

/// A prepared run, and how it treats its file.
struct PreparedFileRun {
  PreparedRun prepared;
  OutputSpec output;
  std::string configuration_text;  ///< as in Configuration
  PartFolder::Existing existing;
  std::string identity;               ///< what another run must agree in to go on from the result of this one
  std::string checkpoint_identity;    ///< what another run must agree in to go on from the checkpoints of this one
  std::int64_t checkpoint_slice;      ///< trajectories per slice in the checkpoint that this rank goes on from; 0: none
  std::int64_t begin;                 ///< the last step of the finished run that this one goes on from; 0 without one
  double bytes_written;               ///< bytes in the folder FILE.h5.part of a run that is continued or replaced
  std::vector<ModuleSource> missing;  ///< kernels that a dry run lacks and may not compile
};

/// Prepares a run up to its first step, on all ranks together. read: reads a rank's part of the starts in a file.
/// Throws Error, the same on all ranks; no file of the run has been written then.
PreparedFileRun prepare_file_run(const Configuration& configuration, const RunOptions& options, const ReadPart& read,
                                 Ranks& ranks, const StartsProgress& progress = {});

/// Description of a run in its file. counts: counts of its density, as in integration/describe.hpp.
RunDescription describe(const PreparedFileRun& file_run, const std::vector<std::int64_t>& counts);

/// Number of trajectories of a slice, the same on all ranks: as in their checkpoints if there are any. Collective.
std::int64_t agree_on_slice(const PreparedFileRun& file_run, Ranks& ranks);

}  // namespace polhode
