// Collisions of a point with the centre that attracts it. A step may pass the centre, so that a state that moves away
// from a pericentre within the centre's radius has collided, too: that of its osculating Kepler orbit. Methods that
// conserve the angular momentum so end every orbit whose step is too long for such a passage; with others it may change
// by enough to miss the centre.
#pragma once

#include "polhode/math/vec.hpp"

namespace polhode::inline POLHODE_ISA {

/// Lanes in which a point of unit mass has not collided with a centre of gravitational parameter `mu`, at
/// L^2 = |q x p|^2. An orbit of energy E reaches the radius R if 2 R (E R + mu) > L^2.
template <class T, int N>
POLHODE_HD Mask<T> has_not_collided(const Vec<T, N>& q, const Vec<T, N>& p, const T& L_squared, const T& mu,
                                    const T& radius) {
  const T half(Real<T>(0.5)), two(Real<T>(2)), r = sqrt(dot(q, q));
  const T energy = fma(half, dot(p, p), -(mu / r));
  const Mask<T> reaches = two * (radius * fma(energy, radius, mu)) > L_squared;
  return (r >= radius) & !(reaches & (dot(q, p) > T(Real<T>(0))));
}

}  // namespace polhode::inline POLHODE_ISA
