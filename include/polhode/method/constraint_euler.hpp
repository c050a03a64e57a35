// The first-order constraint algorithm, reduced (McLachlan & Scovel 1995, eq. (9) and sect. 6.2): the whole kick, then
// the discrete free body. Order 1, symplectic; its adjoint is in constraint_euler_adjoint.hpp.
#pragma once

#include "polhode/method/kicked_rotation.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System, class Solver>
struct ConstraintEuler : KickedRotation<System, Solver, Kicks::before> {
  static constexpr Properties properties{.order = 1, .poisson = true, .casimirs = true};
};

struct ConstraintEulerFamily {
  static constexpr const char* name = "constraint-euler";
  static constexpr const char* meaning = "first-order constraint algorithm, symplectic (MS (9))";
  template <class System>
  using VariantsOn = Variants<ConstraintEuler<System, CayleySolver>, ConstraintEuler<System, HadamardSolver>>;
};

}  // namespace polhode::inline POLHODE_ISA
