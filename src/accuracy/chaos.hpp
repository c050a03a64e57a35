// Orbits on which errors grow exponentially, found by the distance of each from a neighbour.
#pragma once

#include <cstdint>

#include "accuracy/orbits.hpp"

namespace polhode {

/// Number of orbits that are chaotic. Each has a neighbour, whose start is displaced by 1e-8 of the lengths of the
/// orbit's states (distances.hpp). The distance of a chaotic orbit from its neighbour grows more than a million-fold in
/// all, or more than 20-fold between some time, an eighth of the whole or later, and twice that time; that of a regular
/// orbit doubles with the time, up to oscillations. Orbit and neighbour are solved in `steps` steps of `method`, in
/// double precision; an orbit is not counted where either fails.
std::int64_t count_chaotic(const Orbits& orbits, const MethodSpec& method, std::int64_t steps);

}  // namespace polhode
