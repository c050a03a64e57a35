// What tells the methods that share a step map apart: plain data, so that one compiled step serves all of them.
#pragma once

#include "polhode/system/description.hpp"

namespace polhode {

/// How the equations without constraints are advanced (method/substituted_multipliers.hpp).
enum class Rule { implicit_midpoint, rk4, rk4_projected };

struct Coefficients {
  double kick_before = 0, kick_after = 0;  ///< shares of the kick before and after the motion
  Momentum momentum = Momentum::hidden_constraint;
  Rule rule = Rule::implicit_midpoint;  ///< for substituted multipliers
};

}  // namespace polhode
