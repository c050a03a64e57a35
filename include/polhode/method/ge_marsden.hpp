// The Lie-Poisson scheme of Ge & Marsden on so(3)* (method/generated_rotation.hpp): a generating function on the group
// to the first order in the step. Order 1, Poisson; |Pi| is conserved to round-off.
#pragma once

#include "polhode/method/generated_rotation.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct GeMarsdenMethod {
  static constexpr const char* name = "ge-marsden";
  static constexpr const char* meaning = "Lie-Poisson by a generating function on the group, order 1";
  static constexpr const char* sources[] = {"GeMarsden1988"};
  static constexpr GeneratedRotationOptions map_options{.order = 1};
  static constexpr Properties properties{.order = 1, .poisson = true, .casimirs = true};

  /// kappa.
  static constexpr MethodSetting scale = setting<&GeneratedRotationOptions::scale>(
      {.name = "kappa",
       .kind = MethodOption::Kind::real,
       .unit = "mass length^2/time",
       .meaning = "scale of the generating function kappa |xi|^2 / 2 of the identity: the "
                  "domain is |m| < 2 pi kappa, and errors grow with kappa",
       .default_number = 1,
       .positive = true});
  static constexpr MethodSetting settings[] = {scale};
};

}  // namespace polhode::inline POLHODE_ISA
