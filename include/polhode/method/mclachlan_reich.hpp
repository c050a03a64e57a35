// The explicit splitting of the rigid body of McLachlan 1993 and Reich 1994: rotations about the three body axes
// between half kicks (method/axis_rotations.hpp).
#pragma once

#include "polhode/method/axis_rotations.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct McLachlanReichMethod {
  static constexpr const char* name = "mclachlan-reich";
  static constexpr const char* meaning = "exact rotations about the body axes in turn, explicit, order 2, symplectic";
  static constexpr const char* sources[] = {"McLachlan1993", "Reich1994"};
  static constexpr Kicks kicks{.before = 0.5, .after = 0.5};
  static constexpr AxisRotationsOptions map_options{.splitting = KineticSplitting::body_axes};
  static constexpr Properties properties{
      .order = 2, .symmetric = true, .poisson = true, .casimirs = true, .momentum = true};
};

}  // namespace polhode::inline POLHODE_ISA
