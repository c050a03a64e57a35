// Some trajectories of an ensemble for a short time, to tell how long all of it takes and how many section points it
// has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "integration/prepare.hpp"

namespace polhode {

struct Sample {
  bool complete = false;         ///< they came to their last step
  double trajectories = 0;       ///< how many they are
  double steps = 0, points = 0;  ///< that all of them together took and found
  double seconds = 0;

  /// Work of n trajectories of the ensemble over the sample's. In a complete sample some may have ended early.
  double times(std::int64_t n, std::int64_t steps_of_each) const {
    const auto all = static_cast<double>(n);
    return complete ? all / trajectories : all * static_cast<double>(steps_of_each) / std::max(steps, 1.0);
  }
};

/// Integrates states [n][dim] of the ensemble for about `seconds`, on the backend of the run, but on the CPU where that
/// is a GPU.
Sample take_sample(const ResolvedRun& run, const RunPlan& plan, std::vector<double> states, double seconds);

}  // namespace polhode
