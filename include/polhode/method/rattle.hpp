// RATTLE (McLachlan & Scovel 1995, sect. 6.2; H (5.2)): half a kick, the discrete free body, half a kick.
//
// Order 2, symmetric, symplectic. For c = 0 it is the discrete Moser-Veselov map (MS Theorem 6).
#pragma once

#include "polhode/method/kicked_rotation.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System, class Solver>
struct Rattle : KickedRotation<System, Solver, Kicks::halves> {
  static constexpr Properties properties{.order = 2, .symmetric = true, .poisson = true, .casimirs = true};
};

/// The family in the catalog: every variant of the method on a system, the default solver first.
struct RattleFamily {
  static constexpr const char* name = "rattle";
  static constexpr const char* meaning = "RATTLE, order 2, symmetric, symplectic (MS sect. 6.2, H (5.2))";
  template <class System>
  using VariantsOn = Variants<Rattle<System, CayleySolver>, Rattle<System, HadamardSolver>>;
};

}  // namespace polhode::inline POLHODE_ISA
