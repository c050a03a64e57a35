// Data that distinguish the methods that share a step map. They are plain, so that one compiled step serves all of
// them; the reference selects its equations by them, too.
#pragma once

#include "polhode/system/description.hpp"

namespace polhode {

/// Kind of step: kicks by the potential around the motion without it, on constraints or split off from them
/// (method/splittings.hpp), or a rule for the equations with substituted multipliers
/// (method/substituted_multipliers.hpp).
enum class Rule { kicks, splitting, axis_rotations, perturbed_symmetric_body, implicit_midpoint, rk4, rk4_projected };

struct Coefficients {
  /// Kicks before and after the motion, as fractions of one over the length of the stage; both 0: no kick.
  double kick_before = 0, kick_after = 0;
  Momentum momentum = Momentum::hidden_constraint;
  Rule rule = Rule::kicks;
  int order = 2;  ///< of the discrete free rotation (method/preprocessed_rotation.hpp)

  /// Coefficients of the adjoint of a map with kicks: the same parts in the opposite order.
  constexpr Coefficients adjoint() const { return {kick_after, kick_before, momentum, rule, order}; }
  constexpr bool operator==(const Coefficients&) const = default;
};

}  // namespace polhode
