// Crossings that a run may have missed, because only a change of sign between the ends of a step shows one. An
// observable that is on one side of the section at both ends may cross it twice in between, unless the method looks for
// that; and an angle may cross a value close to its jump in the step in which it jumps.
#pragma once

#include <span>

#include "integration/prepare.hpp"
#include "polhode/observer/section.hpp"

namespace polhode {

/// Estimated number of crossings missed by trajectories first, ..., first + count - 1 of the ensemble, from the first
/// steps of a fixed sample of them. 0 without a section.
double estimate_missed(const PreparedRun& prepared, std::int64_t first, std::int64_t count);

/// Number of crossings without a change of sign in f, the section's observable less the section's value after
/// successive steps: at extrema beyond the section, unless the run looks for two in one step, and beside jumps. For a
/// terminal section up to its first crossing.
std::int64_t count_missed(const SectionPlan& section, std::span<const double> f);

}  // namespace polhode
