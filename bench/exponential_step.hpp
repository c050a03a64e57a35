// RATTLE on the heavy top with rotations as exponentials of their algebra, w^T = exp(hat(xi)), which McLachlan & Scovel
// 1995, sect. 6.2, reject in favour of their iteration. The map is RATTLE's. Trajectories go through it as packs of one
// register, as in the program. Knows nothing of polhode.
#pragma once

#include <span>

#include "rivals.hpp"

namespace polhode::bench {

struct ExponentialStep {
  Rival rival;
  int lanes;  ///< trajectories of a pack
};

/// The exponential and its derivative as Taylor series of matrices, which any group has, and as Rodrigues' formula,
/// which SO(3) alone has; each in packs of 4, and of 8 where the compiler may use AVX-512.
extern __attribute__((visibility("default"))) const std::span<const ExponentialStep> exponential_steps;

}  // namespace polhode::bench
