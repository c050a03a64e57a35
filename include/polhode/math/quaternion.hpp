// Quaternions (w, x, y, z). A unit quaternion represents the rotation Q from body to space coordinates; Q followed by a
// rotation R of the body is the product with R on the right.
#pragma once

#include "polhode/math/vec.hpp"

namespace polhode::inline POLHODE_ISA {

/// p q.
template <class T>
POLHODE_HD Vec<T, 4> quaternion_product(const Vec<T, 4>& p, const Vec<T, 4>& q) {
  return {fma(p[0], q[0], fma(-p[1], q[1], fma(-p[2], q[2], -(p[3] * q[3])))),
          fma(p[0], q[1], fma(p[1], q[0], fma(p[2], q[3], -(p[3] * q[2])))),
          fma(p[0], q[2], fma(p[2], q[0], fma(p[3], q[1], -(p[1] * q[3])))),
          fma(p[0], q[3], fma(p[3], q[0], fma(p[1], q[2], -(p[2] * q[1]))))};
}

/// Row `i` of Q: the space axis i in body coordinates; for |q| = r it is multiplied by r^2.
template <class T>
POLHODE_HD Vec<T, 3> space_axis(const Vec<T, 4>& q, int i) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const T two(Real<T>(2));
  Vec<T, 3> row;
  row[i] = fma(q[0], q[0], q[1 + i] * q[1 + i]) - fma(q[1 + j], q[1 + j], q[1 + k] * q[1 + k]);
  row[j] = two * fma(q[1 + i], q[1 + j], -(q[0] * q[1 + k]));
  row[k] = two * fma(q[1 + i], q[1 + k], q[0] * q[1 + j]);
  return row;
}

}  // namespace polhode::inline POLHODE_ISA
