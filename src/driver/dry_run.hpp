// Estimate of a run: the input is checked, the starts are made, and no file of the run is written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/run.hpp"
#include "modules/module_source.hpp"
#include "output/disk_room.hpp"

namespace polhode {

struct DryRun {
  RunReport report;               ///< report of a run without a step, but with an estimate of its section points
  std::int64_t trajectories = 0;  ///< number of trajectories of one rank, at most
  /// Seconds that the rank with the most trajectories takes; NaN where they cannot be told: on a GPU, which is not
  /// used, and where nothing was integrated.
  double seconds = 0;
  bool is_sampled = false;  ///< whether some trajectories were integrated; else nothing is known of section points
  std::vector<ModuleSource> missing{};  ///< kernels that are not there and may not be compiled
  double memory = 0;  ///< bytes of one rank, at most: a segment that the clock ends early holds fewer snapshots
  DiskRoom room{};    ///< room on the disk; section points count only if is_sampled
};

/// Estimates a run without carrying it out; the estimate is returned on the first rank. Collective. Throws Error, the
/// same on all ranks: IoError where the result does not fit on the disk.
DryRun dry_run(const PreparedFileRun& file_run, Ranks& ranks);

}  // namespace polhode
