// The discrete Routh equations (method/discrete_routh_map.hpp; Jalnapurkar, Leok, Marsden & West 2006, sect. 2), of a
// discrete Lagrangian to choose. Order 2, symmetric; preserves the reduced form, with its magnetic term.
#pragma once

#include "polhode/method/discrete_routh_map.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct DiscreteRouthMethod {
  static constexpr const char* name = "discrete-routh";
  static constexpr const char* meaning =
      "discrete Routh equations of a discrete Lagrangian; order 2, symmetric, keeps the reduced symplectic form";
  static constexpr const char* sources[] = {"JalnapurkarLeokMarsdenWest2006"};
  static constexpr DiscreteRouthOptions map_options{.action = DiscreteAction::midpoint};
  static constexpr Properties properties{.order = 2, .symmetric = true, .poisson = true, .momentum = true};

  static constexpr const char* lagrangians[] = {"midpoint", "own"};
  static constexpr MethodSetting settings[] = {setting<&DiscreteRouthOptions::action>(
      {.name = "lagrangian",
       .kind = MethodOption::Kind::choice,
       .unit = "1",
       .meaning = "discrete Lagrangian: midpoint, L at the midpoint of the shape and with the mean velocity; own, the "
                  "system's, if it has one (j2-satellite-reduced: at the midpoint in Cartesian coordinates)",
       .default_choice = "midpoint",
       .choices = lagrangians})};
};

}  // namespace polhode::inline POLHODE_ISA
