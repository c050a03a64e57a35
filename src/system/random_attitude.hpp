// Attitudes drawn uniformly on SO(3), by its Haar measure. Host only.
#pragma once

#include <cmath>

#include "polhode/math/quaternion.hpp"
#include "polhode/math/vec.hpp"
#include "system/random_source.hpp"

namespace polhode::inline POLHODE_ISA {

/// Rotation of states with an attitude; src/system/attitudes.hpp. turn(u, x) rotates the state x in space by the
/// rotation of the unit quaternion u: what is expressed in the body frame does not change, except the vertical.
template <class System>
class Attitudes;

/// A unit quaternion: the direction of four Gaussian numbers is isotropic (Shoemake 1992).
inline Vec<double, 4> draw_rotation(RandomSource& random) {
  for (;;) {
    const Vec<double, 4> q{random.normal(), random.normal(), random.normal(), random.normal()};
    const double square = dot(q, q);
    if (square > 1e-12) return (1 / std::sqrt(square)) * q;  // smaller ones would have a rounded direction
  }
}

}  // namespace polhode::inline POLHODE_ISA
