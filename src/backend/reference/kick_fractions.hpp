// Division of the kick of a step.
#pragma once

namespace polhode {

/// Fractions of the kick before and after the motion: a and b of constrained_step.hpp.
struct KickFractions {
  double before, after;
};

}  // namespace polhode
