// What a run would be: the input is checked, the starts are made, and nothing is written.
#pragma once

#include <cstdint>
#include <string>

#include "driver/run.hpp"

namespace polhode {

struct DryRun {
  RunReport report;               ///< of a run that has taken no step
  std::int64_t trajectories = 0;  ///< of one rank, at most
  double seconds = 0;  ///< that the rank with the most takes; NaN where it cannot be told: on a GPU, which is not used
  double memory = 0;   ///< bytes of one rank, at most: a segment that the clock ends early holds fewer snapshots
  double file = 0;     ///< bytes of the result, before compression
  double disk = 0;     ///< bytes while it is written: journals, and the file that is made of them
  double free_disk = 0;  ///< bytes
};

/// In words, e.g. "22 MB".
std::string in_bytes(double bytes);

/// Throws IoError where the result does not fit on the disk.
DryRun dry_run(const Inputs& inputs, Ranks& ranks);

}  // namespace polhode
