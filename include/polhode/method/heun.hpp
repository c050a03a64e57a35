// Heun's method, the explicit trapezoidal rule (method/runge_kutta.hpp; RK2 of Pierce 1994, Figures 1 and 2), for
// comparison. Order 2, neither symmetric nor symplectic.
#pragma once

#include "polhode/method/properties.hpp"
#include "polhode/method/runge_kutta.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct HeunMethod {
  static constexpr const char* name = "heun";
  static constexpr const char* meaning = "explicit trapezoidal rule, order 2, for comparison";
  static constexpr const char* sources[] = {"HairerLubichWanner2006"};
  static constexpr RungeKuttaOptions map_options{.scheme = RungeKuttaScheme::heun};
  static constexpr Properties properties{.order = 2};
};

}  // namespace polhode::inline POLHODE_ISA
