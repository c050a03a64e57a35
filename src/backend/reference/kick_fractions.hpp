// How a step divides its kick.
#pragma once

namespace polhode {

/// How much of the kick comes before the motion and how much after it: a and b of constrained_step.hpp.
struct KickFractions {
  double before, after;
};

}  // namespace polhode
