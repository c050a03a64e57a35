// Some trajectories of an ensemble for a short time, to tell how long all of it takes and how many section points it
// has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "integration/prepare.hpp"

namespace polhode {

struct Sample {
  bool complete = false;         ///< whether all trajectories came to their last step
  double trajectories = 0;       ///< number of trajectories
  double steps = 0, points = 0;  ///< steps and points of all trajectories together
  double seconds = 0;

  /// Work of n trajectories of the ensemble over that of the sample. In a complete sample some trajectories may have
  /// ended early, as in the ensemble.
  double times(std::int64_t n, std::int64_t steps_of_each) const {
    const auto all = static_cast<double>(n);
    return complete ? all / trajectories : all * static_cast<double>(steps_of_each) / std::max(steps, 1.0);
  }
};

/// Integrates states [n][dim] of the ensemble for about `seconds`, on the reference if the run has it as backend, else
/// on the CPU.
Sample take_sample(const ResolvedRun& run, const RunPlan& plan, std::vector<double> states, double seconds);

}  // namespace polhode
