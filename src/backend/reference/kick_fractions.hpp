// Division of the kick of a step.
#pragma once

#include <stdexcept>

#include "polhode/method/coefficients.hpp"

namespace polhode {

/// Fractions of the kick before and after the motion: a and b of constrained_step.hpp.
struct KickFractions {
  double before, after;
};

inline KickFractions kicks_of(const Coefficients& method) { return {method.kick_before, method.kick_after}; }

inline bool has_kicks(const Coefficients& method) {
  return method.rule == Rule::kicks || method.rule == Rule::splitting || method.rule == Rule::axis_rotations ||
         method.rule == Rule::perturbed_symmetric_body;
}

/// Throws if a method requires more of a motion than kicks.
inline void require_kicks_only(const Coefficients& method) {
  if (!has_kicks(method) || method.momentum != Momentum::hidden_constraint)
    throw std::invalid_argument("the reference has no such method on this system. Use another backend.");
}

}  // namespace polhode
