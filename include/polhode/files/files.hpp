// Runs whose results are files, and starts from files, as in `polhode run`. Link polhode::files, from
// find_package(polhode COMPONENTS files).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "polhode/core/ensemble.hpp"

namespace polhode {

struct FileOptions {
  std::int64_t compression = 0;  ///< level of deflate, 0 (none) to 9
  bool resume = false;  ///< continue a run that was stopped from its checkpoint, or a finished one to more steps
  bool force = false;   ///< replace an existing file
};

/// Integrates and writes an HDF5 file that equals, byte for byte, that of `polhode run`, except for its time and the
/// text of its configuration. FILE.part holds journals and checkpoints during the run, and remains if `progress`
/// returns false, or if there is no more room on the disk for the result, which the remarks then say;
/// report.done.complete is false then. Throws Error with the message of the command line; nothing is written for input
/// that is rejected. Signals are not handled: unless SIGXFSZ is ignored, a limit on file sizes ends
/// the process.
RunReport run_to_file(const RunSpec& spec, const std::filesystem::path& file, const FileOptions& options = {},
                      const Progress& progress = {});

/// Reads states [n][dim] from a dataset of any HDF5 file, as starts of an Ensemble. Throws Error if they have another
/// shape or are not finite, and for the /final/state of a result with failed trajectories.
std::vector<double> read_states(const std::filesystem::path& path, const std::string& dataset, int dim);

}  // namespace polhode
