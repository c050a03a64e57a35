// The generating function of the free rigid body's flow on so(3)*, as a power series in the step h: S(xi, h) solves the
// reduced Hamilton-Jacobi equation of Ge & Marsden (Phys. Lett. A 133 (1988) 134),
//
//     S_t + H(-A(xi) dS) = 0,   S(xi, 0) = kappa |xi|^2 / 2,   A(xi) p = p - xi x p / 2 + c xi x (xi x p)
//
// with c of math/rotation_vector.hpp. Its coefficients (Channell & Scovel, Physica D 50 (1991) 80) are, with the
// gradient H' and the second derivative H'' of H at -kappa xi,
//
//     S_1 = -H,   2 S_2 = H'.A dS_1,   3 S_3 = H'.A dS_2 - (A dS_1).H'' (A dS_1) / 2
//
// For H = Pi.I^-1 Pi / 2 let N = h kappa I^-1, u = N xi, v = N u, w = N v, r = |xi|^2, a = u.u, b = xi.u, d = u.v,
// y = xi x u and f = 1 - c r. Then
//
//     S / kappa = r/2 - b/2 + (f a + c b^2) / 2
//                 - (3/2 f^2 d + 4 f c a b + 5/2 c^2 b^3 + b (f' a + c' b^2) + y.N y / 8) / 3 + O(h^4)
//
// where ' is the derivative by r.
#pragma once

#include "polhode/math/rotation_vector.hpp"

namespace polhode::inline POLHODE_ISA {

/// dS / kappa - xi up to the term of this order, 1 to 3.
template <int order, class T>
POLHODE_HD Vec<T, 3> change_of_action(const Vec<T, 3>& n, const Vec<T, 3>& xi, const T& r,
                                      const InverseDerivative<T>& inverse) {
  using R = Real<T>;
  const Vec<T, 3> u = hadamard(n, xi);
  if constexpr (order == 1) return -u;
  const T two(R(2)), c = inverse.c, c1 = inverse.first;
  const T f = T(R(1)) - c * r, f1 = -fma(c1, r, c);
  const Vec<T, 3> v = hadamard(n, u);
  const T a = dot(u, u), b = dot(xi, u), e = fma(f1, a, c1 * b * b);
  T of_xi = e, of_u = fma(two * c, b, T(R(-1))), of_v = f;
  if constexpr (order == 2) return fma(of_xi, xi, fma(of_u, u, of_v * v));
  const T c2 = inverse.second, f2 = -fma(c2, r, two * c1), third(R(-1.0 / 3));
  const T d = dot(u, v), fc = f * c, cb = c * b;
  // Twice the derivatives of the bracket by d, a, b and r.
  const T by_d = T(R(3)) * f * f, by_a = two * b * fma(T(R(4)), fc, f1),
          by_b = fma(T(R(8)) * fc, a, fma(T(R(15)) * cb, cb, two * fma(two * c1, b * b, e))),
          by_r =
              two * fma(T(R(3)) * f * f1, d,
                        b * fma(T(R(4)) * fma(f1, c, f * c1), a, fma(T(R(5)) * c1, c * b * b, fma(f2, a, c2 * b * b))));
  const Vec<T, 3> w = hadamard(n, v), ny = hadamard(n, cross(xi, u)), turned = cross(u, ny),
                  back = hadamard(n, cross(ny, xi));
  const T quarter(R(0.25));
  Vec<T, 3> gradient = fma(by_r, xi, fma(by_b, u, fma(by_a, v, by_d * w)));
  gradient = fma(quarter, turned + back, gradient);
  return fma(third, gradient, fma(of_xi, xi, fma(of_u, u, of_v * v)));
}

}  // namespace polhode::inline POLHODE_ISA
