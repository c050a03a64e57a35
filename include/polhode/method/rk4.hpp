// The classical Runge-Kutta method (method/runge_kutta.hpp), for comparison, with constraints on the equations with
// substituted multipliers (method/substituted_multipliers.hpp), where they drift. Order 4, neither symmetric nor
// symplectic.
#pragma once

#include "polhode/method/properties.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct Rk4Method {
  static constexpr const char* name = "rk4";
  static constexpr const char* meaning = "classical Runge-Kutta method, order 4, for comparison";
  static constexpr const char* sources[] = {"HairerLubichWanner2006"};
  static constexpr RungeKuttaOptions map_options{.scheme = RungeKuttaScheme::rk4};
  static constexpr Properties properties{.order = 4};
};

}  // namespace polhode::inline POLHODE_ISA
