// What tells the methods that share a step map apart: plain data, so that one compiled step serves all of them, and the
// reference finds its equations by it.
#pragma once

#include "polhode/system/description.hpp"

namespace polhode {

/// What advances a state: kicks by the potential around the motion without it, or a rule for the equations with
/// substituted multipliers (method/substituted_multipliers.hpp).
enum class Rule { kicks, implicit_midpoint, rk4, rk4_projected };

struct Coefficients {
  double kick_before = 0, kick_after = 0;  ///< shares of the kick before and after the motion; without any it is alone
  Momentum momentum = Momentum::hidden_constraint;
  Rule rule = Rule::kicks;

  /// Of the adjoint of a map that is made of kicks: what it does, in the opposite order.
  constexpr Coefficients adjoint() const { return {kick_after, kick_before, momentum, rule}; }
};

}  // namespace polhode
