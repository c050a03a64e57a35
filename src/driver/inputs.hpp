// Inputs of a run, made of a configuration on each rank by itself and equal on all. Everything that can be wrong with
// the input is found here, before anything is written.
#pragma once

#include <string>
#include <vector>

#include "integration/prepare.hpp"
#include "modules/module_source.hpp"
#include "output/part_folder.hpp"
#include "parallel/ranks.hpp"
#include "spec/configuration.hpp"

namespace polhode {

struct RunOptions {
  bool resume = false, force = false;
  bool dry = false;  ///< nothing will be written: another run of the same output may be going on
};

struct Inputs {
  Prepared prepared;
  OutputSpec output;
  std::string configuration_text;  ///< as it goes into the file
  PartFolder::Existing existing;
  std::string identity;               ///< what a run must agree in to go on from its result
  std::string checkpoint_identity;    ///< and from its checkpoints
  std::int64_t checkpoint_slice;      ///< of the checkpoint that this rank goes on from; 0 without one
  std::int64_t begin;                 ///< the last step of the finished run that this one goes on from; 0 without one
  double bytes_written;               ///< by the run that is continued or replaced
  std::vector<ModuleSource> missing;  ///< kernels that are not there, of a dry run where none may be compiled
};

/// `read` reads a rank's part of the starts in a file. Throws Error, the same on all ranks; nothing has been written
/// then.
Inputs make_inputs(const Configuration& configuration, const RunOptions& options, const ReadPart& read, Ranks& ranks,
                   const StartsProgress& progress = {});

/// Trajectories of a slice, the same on all ranks: that of their checkpoints if there are any.
std::int64_t agree_on_slice(const Inputs& inputs, Ranks& ranks);

}  // namespace polhode
