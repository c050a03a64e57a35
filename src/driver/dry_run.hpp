// Estimate of a run: the input is checked, the starts are made, and nothing is written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/run.hpp"
#include "modules/module_source.hpp"
#include "output/disk_room.hpp"

namespace polhode {

struct DryRun {
  RunReport report;               ///< of a run that has taken no step
  std::int64_t trajectories = 0;  ///< of one rank, at most
  /// Seconds that the rank with the most trajectories takes; NaN where they cannot be told: on a GPU, which is not
  /// used, and where nothing was integrated.
  double seconds = 0;
  bool is_sampled = false;  ///< some trajectories were integrated; otherwise nothing is known of section points
  std::vector<ModuleSource> missing{};  ///< kernels that are not there and may not be compiled
  double memory = 0;  ///< bytes of one rank, at most: a segment that the clock ends early holds fewer snapshots
  DiskRoom room{};    ///< without section points where nothing is known of them
};

/// Estimates a run without carrying it out; returns the estimate on the first rank. Collective. Throws IoError where
/// the result does not fit on the disk.
DryRun dry_run(const PreparedFileRun& file_run, Ranks& ranks);

}  // namespace polhode
