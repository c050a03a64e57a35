// The adjoint of the first-order constraint algorithm, reduced (McLachlan & Scovel 1995, eq. (10) and sect. 6.2): the
// discrete free body, then the whole kick. With step -h it inverts constraint_euler.hpp. Order 1, symplectic.
#pragma once

#include "polhode/method/kicked_rotation.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System, class Solver>
struct ConstraintEulerAdjoint : KickedRotation<System, Solver, Kicks::after> {
  static constexpr Properties properties{.order = 1, .poisson = true, .casimirs = true};
};

struct ConstraintEulerAdjointFamily {
  static constexpr const char* name = "constraint-euler-adjoint";
  static constexpr const char* meaning = "adjoint of constraint-euler, symplectic (MS (10))";
  template <class System>
  using VariantsOn =
      Variants<ConstraintEulerAdjoint<System, CayleySolver>, ConstraintEulerAdjoint<System, HadamardSolver>>;
};

}  // namespace polhode::inline POLHODE_ISA
