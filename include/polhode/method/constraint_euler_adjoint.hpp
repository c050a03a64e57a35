// The adjoint of the first-order constraint algorithm (McLachlan & Scovel 1995, eq. (10)): the constrained motion, then
// the whole kick. With step -h it inverts constraint_euler.hpp. Order 1, symplectic.
#pragma once

#include "polhode/method/kicks.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct ConstraintEulerAdjointMethod {
  static constexpr const char* name = "constraint-euler-adjoint";
  static constexpr const char* meaning = "adjoint of constraint-euler, symplectic";
  static constexpr const char* sources[] = {"McLachlanScovel1995"};
  static constexpr Kicks kicks{.before = 0, .after = 1};
  static constexpr bool has_adjoint = true;
  static constexpr Properties properties{
      .order = 1, .poisson = true, .casimirs = true, .momentum = true, .constraints = true};
};

}  // namespace polhode::inline POLHODE_ISA
