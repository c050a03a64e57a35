// The implicit midpoint rule on the equations with substituted multipliers (method/substituted_multipliers.hpp), as
// compared in McLachlan & Scovel 1995, Figure 2. Order 2, symmetric, but not symplectic, and the constraints drift.
#pragma once

#include "polhode/method/coefficients.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"
#include "polhode/system/publications.hpp"

namespace polhode::inline POLHODE_ISA {

struct ImplicitMidpointFamily {
  static constexpr const char* name = "implicit-midpoint";
  static constexpr const char* meaning =
      "implicit midpoint rule with substituted multipliers; constraints drift (MS Figure 2)";
  static constexpr const Publication* sources[] = {&publications::mclachlan_scovel_1995};
  static constexpr Coefficients coefficients{.rule = Rule::implicit_midpoint};
  static constexpr Properties properties{.order = 2, .symmetric = true, .momentum = true};
};

}  // namespace polhode::inline POLHODE_ISA
