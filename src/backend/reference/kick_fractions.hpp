// Division of the kick of a step.
#pragma once

#include <stdexcept>

#include "polhode/method/coefficients.hpp"

namespace polhode {

/// Fractions of the kick before and after the motion: a and b of constrained_step.hpp.
struct KickFractions {
  double before, after;

  /// Fractions of the adjoint.
  KickFractions exchanged() const { return {after, before}; }
};

inline KickFractions kicks_of(const Coefficients& method) { return {method.kick_before, method.kick_after}; }

/// The same for motions that have kicks alone; throws if the method requires more.
inline KickFractions only_kicks_of(const Coefficients& method) {
  if (method.rule != Rule::kicks || method.momentum != Momentum::hidden_constraint)
    throw std::invalid_argument("the reference has no such method on this system. Use another backend.");
  return kicks_of(method);
}

}  // namespace polhode
