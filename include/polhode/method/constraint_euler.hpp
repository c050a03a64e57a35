// The first-order constraint algorithm (McLachlan & Scovel 1995, eqs. (2), (3), and (9) with sect. 6.2): the whole
// kick, then the constrained motion. Order 1, symplectic; its adjoint is in constraint_euler_adjoint.hpp.
#pragma once

#include "polhode/method/kicks.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct ConstraintEulerMethod {
  static constexpr const char* name = "constraint-euler";
  static constexpr const char* meaning = "first-order constraint algorithm, symplectic";
  static constexpr const char* sources[] = {"McLachlanScovel1995"};
  static constexpr Kicks kicks{.before = 1, .after = 0};
  static constexpr bool has_adjoint = true;
  static constexpr Properties properties{
      .order = 1, .poisson = true, .casimirs = true, .momentum = true, .constraints = true};
};

}  // namespace polhode::inline POLHODE_ISA
