// Maps that are made by a generating function (method/generating_functions.hpp, Pierce 1994), of a kind and an order to
// choose. Symplectic; conserves the momenta of symmetries that are linear in the positions.
#pragma once

#include "polhode/method/generated_map.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct GeneratingFunctionMethod {
  static constexpr const char* name = "generating-function";
  static constexpr const char* meaning =
      "generating function of the first or second kind, or Poincare's; order 1 to 4, symplectic";
  static constexpr const char* sources[] = {"Feng1986", "HairerLubichWanner2006"};
  static constexpr GeneratingFunctionOptions map_options{.kind = GeneratingKind::second};
  static constexpr Properties properties{.order = 2, .poisson = true, .momentum = true};

  static constexpr const char* kinds[] = {"1", "2", "poincare"};
  static constexpr MethodSetting settings[] = {
      setting<&GeneratingFunctionOptions::kind>(
          {.name = "kind",
           .kind = MethodOption::Kind::choice,
           .unit = "1",
           .meaning = "of the generating function: 1, of both positions; 2, of the old momentum and the new position; "
                      "poincare, of the midpoint",
           .default_choice = "2",
           .choices = kinds}),
      setting<&GeneratingFunctionOptions::order>({.name = "order",
                                                  .kind = MethodOption::Kind::integer,
                                                  .unit = "1",
                                                  .meaning = "order of the map: 2 or 4, of the second kind 1 to 4",
                                                  .default_number = 2,
                                                  .least = 1,
                                                  .most = 4,
                                                  .attribute = "map_order"})};
};

}  // namespace polhode::inline POLHODE_ISA
