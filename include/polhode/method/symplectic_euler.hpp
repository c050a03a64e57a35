// The symplectic Euler method: the kick, then the drift (method/kick_drift.hpp; Pierce 1994, eq. (10)). Order 1,
// symplectic.
#pragma once

#include "polhode/method/kicks.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct SymplecticEulerMethod {
  static constexpr const char* name = "symplectic-euler";
  static constexpr const char* meaning = "kick, then drift; order 1, symplectic";
  static constexpr const char* sources[] = {"HairerLubichWanner2006"};
  static constexpr Kicks kicks{.before = 1, .after = 0};
  static constexpr bool has_adjoint = true;
  static constexpr Properties properties{.order = 1, .poisson = true, .momentum = true};
};

}  // namespace polhode::inline POLHODE_ISA
