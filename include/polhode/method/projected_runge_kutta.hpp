// Explicit Runge-Kutta methods by their tables with each step projected onto the constraints
// (method/substituted_runge_kutta.hpp), for comparison: the constraints hold, but the map is not symplectic and the
// energy drifts. The order is that of the table.
#pragma once

#include "polhode/method/explicit_table_option.hpp"
#include "polhode/method/option.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/substituted_runge_kutta.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct ProjectedRungeKuttaMethod {
  static constexpr const char* name = "runge-kutta-projected";
  static constexpr const char* meaning =
      "explicit Runge-Kutta method by its table, each step projected onto the constraints";
  static constexpr const char* sources[] = {"McLachlanScovel1995", "HairerNorsettWanner1993"};
  static constexpr SubstitutedRungeKuttaOptions map_options{.projects = true};
  static constexpr const MethodOption& table_option = explicit_table_option;
  static constexpr Properties properties{.order = 4, .constraints = true};  ///< of the default table
};

}  // namespace polhode::inline POLHODE_ISA
