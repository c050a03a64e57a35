// Relative equilibria of reduced systems: shapes x at rest, with s = 0 and dV_mu(x) = 0, along which the whole system
// turns steadily (Jalnapurkar, Leok, Marsden & West 2006, sect. 1).
#pragma once

#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

/// The relative equilibrium [dim] near the shape `near` [n_positions], or near that of the system's example if `near`
/// is empty, with the angle 0. Throws InputError where Newton's method finds none.
std::vector<double> relative_equilibrium(const ResolvedRun& run, const std::vector<double>& near);

}  // namespace polhode
