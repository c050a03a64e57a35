// Relative equilibria of reduced systems: shapes x at rest, with s = 0 and dV_mu(x) = 0, along which the whole system
// turns steadily (Jalnapurkar, Leok, Marsden & West 2006, sect. 1).
#pragma once

#include <vector>

#include "spec/resolved_run.hpp"

namespace polhode {

/// The relative equilibrium [dim], with the angle 0, near the shape `near` [n_positions], or near the shape of the
/// system's example if `near` is empty. Throws InputError where the shape from which the search begins is outside the
/// domain of the system, or Newton's method finds no equilibrium.
std::vector<double> relative_equilibrium(const ResolvedRun& run, const std::vector<double>& near);

}  // namespace polhode
