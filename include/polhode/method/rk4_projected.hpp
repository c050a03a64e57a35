// The classical Runge-Kutta method with each step projected onto the constraints (method/substituted_multipliers.hpp),
// for comparison: the constraints hold, but the map is not symplectic and the energy drifts. Order 4.
#pragma once

#include "polhode/method/properties.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct Rk4ProjectedMethod {
  static constexpr const char* name = "rk4-projected";
  static constexpr const char* meaning = "classical Runge-Kutta, each step projected onto the constraints";
  static constexpr const char* sources[] = {"McLachlanScovel1995"};
  static constexpr RungeKuttaOptions map_options{.scheme = RungeKuttaScheme::rk4, .projects = true};
  static constexpr Properties properties{.order = 4, .constraints = true};
};

}  // namespace polhode::inline POLHODE_ISA
