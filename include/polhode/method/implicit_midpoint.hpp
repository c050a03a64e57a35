// The implicit midpoint rule (method/runge_kutta.hpp; Pierce 1994, eq. (2)). Order 2, symmetric, conserves quadratic
// integrals; symplectic without constraints. With constraints it is the rule on the equations with substituted
// multipliers (method/substituted_multipliers.hpp), as compared in McLachlan & Scovel 1995, Figure 2, where it is not
// symplectic and the constraints drift.
#pragma once

#include "polhode/method/properties.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct ImplicitMidpointMethod {
  static constexpr const char* name = "implicit-midpoint";
  static constexpr const char* meaning =
      "implicit midpoint rule, order 2, symmetric; symplectic where there are no constraints";
  static constexpr const char* sources[] = {"HairerLubichWanner2006", "McLachlanScovel1995"};
  static constexpr RungeKuttaOptions map_options{.scheme = RungeKuttaScheme::implicit_midpoint};
  static constexpr Properties properties{.order = 2, .symmetric = true, .poisson = true, .momentum = true};
};

}  // namespace polhode::inline POLHODE_ISA
