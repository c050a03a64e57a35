// The Lie-Poisson integrators of Channell & Scovel on so(3)* (method/generated_rotation.hpp): the generating function
// of Ge & Marsden (method/ge_marsden.hpp) as a power series in the step. Poisson; |Pi| is conserved to round-off.
#pragma once

#include "polhode/method/ge_marsden.hpp"

namespace polhode::inline POLHODE_ISA {

struct ChannellScovelMethod {
  static constexpr const char* name = "channell-scovel";
  static constexpr const char* meaning = "Lie-Poisson by a generating function on the group, order 1 to 3";
  static constexpr const char* sources[] = {"ChannellScovel1991", "GeMarsden1988"};
  static constexpr GeneratedRotationOptions map_options{.order = 3};
  static constexpr Properties properties{.order = 3, .poisson = true, .casimirs = true};

  static constexpr MethodSetting settings[] = {
      setting<&GeneratedRotationOptions::order>({.name = "order",
                                                 .kind = MethodOption::Kind::integer,
                                                 .unit = "1",
                                                 .meaning = "order of the map: 1, which is ge-marsden, 2 or 3",
                                                 .default_number = 3,
                                                 .least = 1,
                                                 .most = 3,
                                                 .attribute = "map_order"}),
      GeMarsdenMethod::scale};
};

}  // namespace polhode::inline POLHODE_ISA
