// Size of a result file that does not exist yet.
#pragma once

#include "result/run_description.hpp"

namespace polhode {

/// Estimated bytes of a result file with `trajectories` trajectories and `points` section points, without compression.
double file_bytes(const RunDescription& run, double trajectories, double points);

}  // namespace polhode
