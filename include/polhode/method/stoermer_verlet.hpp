// The method of Stoermer and Verlet: half a kick, the drift, half a kick (method/kick_drift.hpp), which is RATTLE
// without constraints. Order 2, symmetric, symplectic.
#pragma once

#include "polhode/method/kicks.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct StoermerVerletMethod {
  static constexpr const char* name = "stoermer-verlet";
  static constexpr const char* meaning = "kick, drift, kick; order 2, symmetric, symplectic";
  static constexpr const char* sources[] = {"Verlet1967", "HairerLubichWanner2006"};
  static constexpr Kicks kicks{.before = 0.5, .after = 0.5};
  static constexpr Properties properties{.order = 2, .symmetric = true, .poisson = true, .momentum = true};
};

}  // namespace polhode::inline POLHODE_ISA
