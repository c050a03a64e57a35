// Crossings that a run may have missed because steps of its method are looked at for a change of sign only: a step at
// whose ends the observable is on one side of the section may cross it twice.
#pragma once

#include <span>

#include "integration/prepare.hpp"
#include "polhode/observer/section.hpp"

namespace polhode {

/// Estimate for trajectories first, ..., first + count - 1 of the ensemble, from a fixed sample of them for their first
/// steps. 0 without a section, and where two crossings in one step are looked for.
double estimate_missed(const Prepared& prepared, std::int64_t first, std::int64_t count);

/// Crossings between values of the section's observable, less its value, after successive steps, that change no sign
/// from one to the next: at extrema beyond the section. A terminal section is looked at as far as its first crossing.
std::int64_t count_missed(const SectionPlan& section, std::span<const double> f);

}  // namespace polhode
