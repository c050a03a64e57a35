// Runs whose results are files, and starts that are read from files, as `polhode run` has them. Link polhode::files, of
// find_package(polhode COMPONENTS files).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "polhode/core/ensemble.hpp"

namespace polhode {

struct FileOptions {
  std::int64_t compression = 0;  ///< deflate's level, 0 (none) to 9
  bool resume = false;           ///< go on from the checkpoint of a run that was stopped, or that ended otherwise
  bool force = false;            ///< replace a file that is there
};

/// Integrates into an HDF5 file, with the bytes of the same run by `polhode run` but for its time and the text of its
/// configuration. FILE.part holds journals and checkpoints meanwhile, and stays where `progress` returns false: then
/// report.done.complete is false. Throws Error, as the command line reports it; nothing is written for input that is
/// rejected. No signal is handled: a limit of file sizes ends the process where SIGXFSZ is not ignored.
RunReport run_to_file(const RunSpec& spec, const std::filesystem::path& file, const FileOptions& options = {},
                      const Progress& progress = {});

/// States [n][dim] from a dataset of any HDF5 file, for an Ensemble to start from. Throws Error where they are of
/// another shape or not finite, or the /final/state of a result with failed trajectories.
std::vector<double> read_states(const std::filesystem::path& path, const std::string& dataset, int dim);

}  // namespace polhode
