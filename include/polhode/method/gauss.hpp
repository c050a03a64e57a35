// The Gauss methods with 1 to 8 stages (method/collocation.hpp, on canonical equations
// method/partitioned_collocation.hpp; Hairer, Lubich & Wanner 2006, sect. II.1.3): collocation at the zeros of a
// shifted Legendre polynomial. Order 2 s, symmetric, conserve quadratic integrals, symplectic where the equations are
// canonical. One stage is the implicit midpoint rule.
#pragma once

#include "polhode/method/collocation_options.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct GaussMethod {
  static constexpr const char* name = "gauss";
  static constexpr const char* meaning = "Gauss collocation, order 2 to 16, symmetric; symplectic on canonical systems";
  static constexpr const char* sources[] = {"HairerLubichWanner2006"};
  static constexpr CollocationOptions map_options{.nodes = CollocationNodes::gauss, .stages = 2};
  static constexpr Properties properties{.order = 4, .symmetric = true, .poisson = true, .momentum = true};

  static constexpr MethodSetting settings[] = {
      setting<&CollocationOptions::stages>({.name = "stages",
                                            .kind = MethodOption::Kind::integer,
                                            .unit = "1",
                                            .meaning = "number of stages; the order is twice as high",
                                            .default_number = 2,
                                            .least = 1,
                                            .most = 8})};
};

}  // namespace polhode::inline POLHODE_ISA
