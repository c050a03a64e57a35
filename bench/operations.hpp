// Floating-point operations of a step, counted by running its source on a number that counts.
#pragma once

#include "backend/cpu/kernels.hpp"

namespace polhode::bench {

struct Operations {
  double issued = 0;     ///< fma, multiply, add and subtract: one issue slot of a vector unit each; signs are free
  double divisions = 0;  ///< on a unit of their own
};

/// Mean over some steps of a few trajectories, without sweeps that a trajectory repeats for its neighbours in a pack.
Operations operations_per_step(int solver, Precision precision);

}  // namespace polhode::bench
