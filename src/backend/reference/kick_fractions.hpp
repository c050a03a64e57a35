// How a step divides its kick.
#pragma once

#include <stdexcept>

#include "polhode/method/coefficients.hpp"

namespace polhode {

/// How much of the kick comes before the motion and how much after it: a and b of constrained_step.hpp.
struct KickFractions {
  double before, after;

  /// Of the adjoint.
  KickFractions exchanged() const { return {after, before}; }
};

inline KickFractions kicks_of(const Coefficients& method) { return {method.kick_before, method.kick_after}; }

/// The same where nothing else is known of a motion: throws where the method asks for more.
inline KickFractions only_kicks_of(const Coefficients& method) {
  if (method.rule != Rule::kicks || method.momentum != Momentum::hidden_constraint)
    throw std::invalid_argument("the reference has no such method on this system. Use another backend.");
  return kicks_of(method);
}

}  // namespace polhode
