// The adjoint of the symplectic Euler method: the drift, then the kick (method/kick_drift.hpp). With step -h it inverts
// symplectic_euler.hpp. Order 1, symplectic.
#pragma once

#include "polhode/method/kicks.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct SymplecticEulerAdjointMethod {
  static constexpr const char* name = "symplectic-euler-adjoint";
  static constexpr const char* meaning = "drift, then kick; adjoint of symplectic-euler, symplectic";
  static constexpr const char* sources[] = {"HairerLubichWanner2006"};
  static constexpr Kicks kicks{.before = 0, .after = 1};
  static constexpr bool has_adjoint = true;
  static constexpr Properties properties{.order = 1, .poisson = true, .momentum = true};
};

}  // namespace polhode::inline POLHODE_ISA
