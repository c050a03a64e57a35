// Initial states, made of the states that are given.
#pragma once

#include <cstdint>

#include "catalog/catalog.hpp"

namespace polhode {

/// Makes initial states of x[count][dim], in place; prepared[count]: displacement of each, and the problem of the first
/// that cannot be used. momentum: the set to which momenta are moved; velocities: whether x has velocities in place of
/// momenta. Unit vectors and quaternions that were written with few digits get length 1, which counts as a displacement
/// of the position. Returns count, or the index of the first state that cannot be used.
std::int64_t prepare_starts(const SystemEntry& system, const double* p, Momentum momentum, bool velocities,
                            std::int64_t count, double* x, Preparation* prepared);

}  // namespace polhode
