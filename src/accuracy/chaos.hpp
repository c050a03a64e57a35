// Orbits on which errors grow exponentially, found by the distance of each from a neighbour.
#pragma once

#include <cstdint>

#include "accuracy/orbits.hpp"

namespace polhode {

/// Number of orbits that are chaotic: the distance from a neighbour that begins 1e-8 of the orbit's lengths away grows
/// a million-fold in all, or more than 20-fold from a time to twice that time, past an eighth of the end. On a regular
/// orbit it doubles with the time, up to oscillations. Orbit and neighbour are solved in `steps` steps of `method`, in
/// double precision; an orbit is not counted where either fails.
std::int64_t count_chaotic(const Orbits& orbits, const MethodSpec& method, std::int64_t steps);

}  // namespace polhode
