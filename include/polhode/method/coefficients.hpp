// What tells the methods that share a step map apart: plain data, so that one compiled step serves all of them.
#pragma once

#include "polhode/system/description.hpp"

namespace polhode {

struct Coefficients {
  double kick_before = 0, kick_after = 0;  ///< shares of the kick before and after the motion
  Momentum momentum = Momentum::hidden_constraint;
};

}  // namespace polhode
