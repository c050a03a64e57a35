// The potential of an oblate planet to the order of J2, in units of its equatorial radius and of GM:
//
//   V = -1/R - J2/(2 R^3) (1 - 3 z^2/R^2),   R^2 = r^2 + z^2
//
// with r the distance from the axis and z the height above the equator.
#pragma once

#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

template <class T>
struct OblatePotential {
  T oblateness;  ///< J2

  /// Potential at r^2 and z.
  POLHODE_HD T operator()(const T& r_squared, const T& z) const {
    const T one(Real<T>(1)), squared = fma(z, z, r_squared), inverse = one / squared;
    const T harmonic = fma(T(Real<T>(-3)) * z * z, inverse, one);
    return -(sqrt(inverse) * fma(T(Real<T>(0.5)) * oblateness * inverse, harmonic, one));
  }

  /// V_r = r c, V_z = z (c + 3 J2/R^5).
  struct Slope {
    T c, further;
  };
  POLHODE_HD Slope slope(const T& r_squared, const T& z) const {
    const T one(Real<T>(1)), squared = fma(z, z, r_squared), inverse = one / squared;
    const T cube = inverse * sqrt(inverse), fifth = T(Real<T>(3)) * oblateness * inverse * cube;
    const T harmonic = fma(T(Real<T>(-2.5)) * z * z, inverse, T(Real<T>(0.5)));
    return {fma(fifth, harmonic, cube), fifth};
  }
};

}  // namespace polhode::inline POLHODE_ISA
