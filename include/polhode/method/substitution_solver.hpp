// Solver of Runge-Kutta steps on constrained systems with the multipliers substituted.
#pragma once

#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct SubstitutionSolver {
  static constexpr const char* name = "substitution";
  static constexpr const char* meaning =
      "multipliers substituted into the equations; stages in turn, or a fixed point where implicit";
};

}  // namespace polhode::inline POLHODE_ISA
