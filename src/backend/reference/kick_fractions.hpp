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

/// For motions that have kicks alone: throws if the method requires more.
inline void require_kicks_only(const Coefficients& method) {
  const bool has_kicks =
      method.rule != Rule::implicit_midpoint && method.rule != Rule::rk4 && method.rule != Rule::rk4_projected;
  if (!has_kicks || method.momentum != Momentum::hidden_constraint)
    throw std::invalid_argument("the reference has no such method on this system. Use another backend.");
}

}  // namespace polhode
