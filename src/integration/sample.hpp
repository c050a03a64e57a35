// Some trajectories of an ensemble for a short time, to tell how long all of it takes and how many section points it
// has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "integration/prepare.hpp"

namespace polhode {

struct Sample {
  bool complete = false;    ///< whether the integration came to its end
  double trajectories = 0;  ///< number of trajectories
  /// Steps and section points of all trajectories together; steps of an incomplete sample as if none had ended early.
  double steps = 0, points = 0;
  double seconds = 0;

  /// Ratio of the work of n trajectories of the ensemble, over steps_of_each steps, to the work of the sample. For a
  /// complete sample only numbers of trajectories count: some of its trajectories may have ended early, as in the
  /// ensemble.
  double times(std::int64_t n, std::int64_t steps_of_each) const {
    const auto all = static_cast<double>(n);
    return complete ? all / trajectories : all * static_cast<double>(steps_of_each) / std::max(steps, 1.0);
  }
};

/// Integrates states [n][dim] of the ensemble for about `seconds`, with the reference backend if the run asks for that,
/// else on the CPU.
Sample take_sample(const ResolvedRun& run, const RunPlan& plan, std::vector<double> states, double seconds);

}  // namespace polhode
