// Explicit Runge-Kutta methods by their tables, named ones (method/explicit_tables.hpp) or one's own, for short,
// precise runs: over long times the energy drifts. On systems without constraints method/explicit_runge_kutta.hpp, with
// constraints, which drift, method/substituted_runge_kutta.hpp. The order is that of the table; neither symmetric nor
// symplectic.
#pragma once

#include "polhode/method/explicit_table_option.hpp"
#include "polhode/method/option.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct TabulatedRungeKuttaMethod {
  static constexpr const char* name = "runge-kutta";
  static constexpr const char* meaning =
      "explicit Runge-Kutta method by its table, order 1 to 8 or one's own; for short, precise runs";
  static constexpr const char* sources[] = {"HairerNorsettWanner1993"};
  static constexpr const MethodOption& table_option = explicit_table_option;
  static constexpr Properties properties{.order = 4};  ///< of the default table
};

}  // namespace polhode::inline POLHODE_ISA
