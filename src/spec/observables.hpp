// Observables that a configuration adds to its system, and conditions on states, e.g. "pi1 > 0 and gamma1 < 0.5".
#pragma once

#include "spec/resolved_run.hpp"

namespace polhode {

/// Adds the observables of system.observables to a run's system, of a system of formulas none, since they are its own;
/// sets run.where to what section.where states, which always holds if it is empty. Requires the run's system and
/// method. Throws InputError for a formula or a condition that is wrong, a condition of more than max_comparisons
/// comparisons, and one that compares an angle with a number beyond [-pi, pi].
void resolve_observables(ResolvedRun& run);

}  // namespace polhode
