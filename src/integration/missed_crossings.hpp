// Crossings that a run may have missed because steps are looked at for a change of sign. A step at whose ends the
// observable is on one side of the section may cross it twice, unless the method looks for that; and an angle that
// jumps may do so in the step in which it crosses a value close to the jump.
#pragma once

#include <span>

#include "integration/prepare.hpp"
#include "polhode/observer/section.hpp"

namespace polhode {

/// Estimate for trajectories first, ..., first + count - 1 of the ensemble, from a fixed sample of them for their first
/// steps. 0 without a section.
double estimate_missed(const PreparedRun& prepared, std::int64_t first, std::int64_t count);

/// Crossings between values of the section's observable, less its value, after successive steps, that change no sign
/// from one to the next: at extrema beyond the section, if two in one step are not looked for, and beside jumps. A
/// terminal section is looked at as far as its first crossing.
std::int64_t count_missed(const SectionPlan& section, std::span<const double> f);

}  // namespace polhode
