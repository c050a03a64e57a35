// Attitudes drawn uniformly on SO(3), by its Haar measure. Host only.
#pragma once

#include <cmath>

#include "polhode/math/quaternion.hpp"
#include "polhode/math/vec.hpp"
#include "system/random_source.hpp"

namespace polhode::inline POLHODE_ISA {

/// Rotation of the states of a system; specialised in src/system/attitudes.hpp for systems with an attitude or a
/// vertical. turn(u, x) rotates the state x[dim] in space, in place, by the rotation of the unit quaternion u: vectors
/// in the body frame do not change, except the vertical.
template <class System>
class Attitudes;

/// Draws a uniform rotation as a unit quaternion, one in each lane: the direction of four Gaussian numbers is isotropic
/// (Shoemake 1992).
template <class T>
Vec<T, 4> draw_rotation(RandomNumbers<T>& random) {
  Vec<T, 4> q{T(0), T(0), T(0), T(0)};
  for (Mask<T> is_wanted(true); mask_bits(is_wanted) != 0;) {
    Vec<T, 4> drawn;
    for (int i = 0; i < 4; ++i) drawn[i] = random.normal();
    q = select(is_wanted, drawn, q);
    is_wanted = dot(q, q) <= T(1e-12);  // smaller ones would have a rounded direction
  }
  return (T(1) / sqrt(dot(q, q))) * q;
}

}  // namespace polhode::inline POLHODE_ISA
