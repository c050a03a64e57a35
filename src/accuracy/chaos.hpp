// Orbits on which errors grow exponentially, by their distance from a neighbour.
#pragma once

#include <cstdint>

#include "accuracy/orbits.hpp"

namespace polhode {

/// Number of orbits that are chaotic over the time: whose distance from a neighbour, 1e-8 of its lengths away at the
/// start, grows more than 20-fold while the time doubles, from an eighth of it on, or a million-fold in all. A regular
/// one's doubles, up to oscillations. Both are solved in so many steps of this method, in double precision.
std::int64_t count_chaotic(const Orbits& orbits, const MethodSpec& method, std::int64_t steps);

}  // namespace polhode
