// Estimate of a run: the input is checked, the starts are made, and nothing is written.
#pragma once

#include <cstdint>
#include <string>

#include "driver/run.hpp"
#include "output/disk_room.hpp"

namespace polhode {

struct DryRun {
  RunReport report;               ///< of a run that has taken no step
  std::int64_t trajectories = 0;  ///< of one rank, at most
  double seconds = 0;  ///< that the rank with the most takes; NaN where it cannot be told: on a GPU, which is not used
  double memory = 0;   ///< bytes of one rank, at most: a segment that the clock ends early holds fewer snapshots
  DiskRoom room{};
};

/// Estimates a run without carrying it out. Throws IoError where the result does not fit on the disk.
DryRun dry_run(const Inputs& inputs, Ranks& ranks);

}  // namespace polhode
