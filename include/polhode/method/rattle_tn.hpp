// RATTLE on TN (McLachlan & Scovel 1995, eq. (11)): the positions of rattle.hpp with the momenta orthogonally projected
// onto the tangent space of the constraints, P = psi(Q, p).
//
// Order 2, symmetric, symplectic. The energy is that of the lifted momentum, on the hidden constraint (MS Theorem 1).
#pragma once

#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct RattleTnMethod {
  static constexpr const char* name = "rattle-tn";
  static constexpr const char* meaning = "RATTLE with momenta in the tangent space";
  static constexpr const char* sources[] = {"McLachlanScovel1995"};
  static constexpr Kicks kicks{.before = 0.5, .after = 0.5};
  static constexpr ConstrainedMotionOptions map_options{.momentum = Momentum::tangent};
  static constexpr Properties properties{
      .order = 2, .symmetric = true, .poisson = true, .casimirs = true, .momentum = true, .constraints = true};
};

}  // namespace polhode::inline POLHODE_ISA
