// RATTLE: half a kick, the constrained motion, half a kick (Hairer 2003, eq. (5.2); for a body with a fixed point
// McLachlan & Scovel 1995, sect. 6.2). The momentum is projected onto the hidden constraint.
//
// Order 2, symmetric, symplectic. For a free body it is the discrete Moser-Veselov map (MS Theorem 6).
#pragma once

#include "polhode/method/kicks.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct RattleMethod {
  static constexpr const char* name = "rattle";
  static constexpr const char* meaning = "RATTLE, order 2, symmetric, symplectic";
  static constexpr const char* sources[] = {"Andersen1983", "McLachlanScovel1995", "Hairer2003"};
  static constexpr Kicks kicks{.before = 0.5, .after = 0.5};
  static constexpr Properties properties{
      .order = 2, .symmetric = true, .poisson = true, .casimirs = true, .momentum = true, .constraints = true};
};

}  // namespace polhode::inline POLHODE_ISA
