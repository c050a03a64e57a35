// The explicit splitting of the rigid body of Touma & Wisdom 1994: the exact motion of a body with an axis of symmetry,
// and what its moments lack, between half kicks (method/axis_rotations.hpp).
#pragma once

#include "polhode/method/axis_rotations.hpp"
#include "polhode/method/properties.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

struct ToumaWisdomMethod {
  static constexpr const char* name = "touma-wisdom";
  static constexpr const char* meaning =
      "exact motion of the nearest symmetric body, perturbed, explicit, order 2, symplectic";
  static constexpr const char* sources[] = {"ToumaWisdom1994"};
  static constexpr Kicks kicks{.before = 0.5, .after = 0.5};
  static constexpr AxisRotationsOptions map_options{.splitting = KineticSplitting::symmetric_body};
  static constexpr Properties properties{
      .order = 2, .symmetric = true, .poisson = true, .casimirs = true, .momentum = true};
};

}  // namespace polhode::inline POLHODE_ISA
