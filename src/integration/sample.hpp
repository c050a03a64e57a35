// Some trajectories of an ensemble for a short time, to tell how long all of it takes and how many section points it
// has.
#pragma once

#include "integration/prepare.hpp"

namespace polhode {

struct Sample {
  bool complete = false;         ///< they came to their last step
  double trajectories = 0;       ///< how many they are
  double steps = 0, points = 0;  ///< that all of them together took and found
  double seconds = 0;
};

/// At most so many trajectories, evenly from the ensemble, for about that time. On the backend of the run, but on the
/// CPU where that is a GPU.
Sample take_sample(const ResolvedRun& run, const Plan& plan, const Starts& starts, std::int64_t trajectories,
                   double seconds);

}  // namespace polhode
