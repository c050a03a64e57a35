// Crossings that a run may have missed, because only a change of sign between the ends of a step shows one. An
// observable that is on one side of the section at both ends may cross it twice in between, unless the method looks for
// that; and an angle may cross a value close to its jump in the step in which it jumps.
#pragma once

#include <span>

#include "integration/prepare.hpp"
#include "polhode/observer/section.hpp"

namespace polhode {

/// Estimated number of crossings that trajectories first, ..., first + count - 1 of the ensemble miss. A fixed sample
/// of the ensemble has some of these trajectories, whose first steps are integrated now. 0 where it has none of them,
/// without a section, and where the run cannot miss any crossing.
double estimate_missed(const PreparedRun& prepared, std::int64_t first, std::int64_t count);

/// Number of crossings that change no sign in f; f[j] is the section's observable less the section's value after step
/// j. They lie at extrema beyond zero, unless the run looks for two crossings in one step, and beside jumps of an
/// angle. For a terminal section at most one, ahead of the first crossing that changes the sign.
std::int64_t count_missed(const SectionPlan& section, std::span<const double> f);

}  // namespace polhode
