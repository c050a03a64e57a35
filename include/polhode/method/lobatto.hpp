// The Lobatto IIIA-IIIB pair with 2 to 4 stages: IIIA for positions, IIIB for momenta (Hairer 2003, Example 2.2;
// method/partitioned_collocation.hpp, and with constraints method/constrained_collocation.hpp). Order 2 s - 2,
// symmetric, symplectic. Two stages are RATTLE, or the method of Stoermer and Verlet, where H = T(p) + V(q).
#pragma once

#include "polhode/method/collocation_options.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/method/setting.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct LobattoMethod {
  static constexpr const char* name = "lobatto";
  static constexpr const char* meaning = "Lobatto IIIA-IIIB, order 2, 4 or 6, symmetric, symplectic";
  static constexpr const char* sources[] = {"Hairer2003", "HairerLubichWanner2006"};
  static constexpr CollocationOptions map_options{.nodes = CollocationNodes::lobatto, .stages = 3};
  static constexpr Properties properties{
      .order = 4, .symmetric = true, .poisson = true, .momentum = true, .constraints = true};

  static constexpr MethodSetting settings[] = {
      setting<&CollocationOptions::stages>({.name = "stages",
                                            .kind = MethodOption::Kind::integer,
                                            .unit = "1",
                                            .meaning = "number of stages s; the order is 2 s - 2",
                                            .default_number = 3,
                                            .least = 2,
                                            .most = 4})};
};

}  // namespace polhode::inline POLHODE_ISA
