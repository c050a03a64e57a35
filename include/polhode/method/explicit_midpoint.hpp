// The explicit midpoint rule (method/runge_kutta.hpp), for comparison. Order 2, neither symmetric nor symplectic.
#pragma once

#include "polhode/method/properties.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct ExplicitMidpointMethod {
  static constexpr const char* name = "explicit-midpoint";
  static constexpr const char* meaning = "explicit midpoint rule, order 2, for comparison";
  static constexpr const char* sources[] = {"HairerLubichWanner2006"};
  static constexpr RungeKuttaOptions map_options{.scheme = RungeKuttaScheme::explicit_midpoint};
  static constexpr Properties properties{.order = 2};
};

}  // namespace polhode::inline POLHODE_ISA
