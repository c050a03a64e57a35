// The classical Runge-Kutta method on the equations with substituted multipliers (method/substituted_multipliers.hpp),
// for comparison. Order 4, neither symmetric nor symplectic; the constraints drift.
#pragma once

#include "polhode/method/coefficients.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"
#include "polhode/system/publications.hpp"

namespace polhode::inline POLHODE_ISA {

struct Rk4Family {
  static constexpr const char* name = "rk4";
  static constexpr const char* meaning = "classical Runge-Kutta with substituted multipliers; constraints drift";
  static constexpr const Publication* sources[] = {&publications::mclachlan_scovel_1995};
  static constexpr Coefficients coefficients{.rule = Rule::rk4};
  static constexpr Properties properties{.order = 4};
};

}  // namespace polhode::inline POLHODE_ISA
