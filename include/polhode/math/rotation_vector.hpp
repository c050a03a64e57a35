// The exponential map of so(3) and the inverse of its derivative, by the square r of the angle theta:
//
//     exp(hat xi)      = 1 + s hat xi + k hat xi^2       s = sin(theta) / theta,  k = (1 - cos(theta)) / theta^2
//     inverse derivative 1 -+ hat xi / 2 + c hat xi^2    c = (1 - (theta/2) cot(theta/2)) / theta^2
//
// All three are analytic in r = |xi|^2 at 0, so that no root, no case and no cancellation is in them, nor in their
// derivatives.
#pragma once

#include "polhode/math/vec.hpp"

namespace polhode::inline POLHODE_ISA {

/// s and k above, of a rotation by a full turn at most.
template <class T>
struct ExponentialMap {
  T s, k;

  /// Sums sin(theta/2) / (theta/2) and cos(theta/2) as power series; the error is pi^30 / 30! = 3e-18.
  POLHODE_HD explicit ExponentialMap(const T& r) {
    using R = Real<T>;
    const T one(R(1)), minus_square = T(R(-0.25)) * r;
    T sine = one, cosine = one;
    unroll<15>([&](int i) POLHODE_LAMBDA {
      const int n = 2 * (15 - i);
      sine = fma(minus_square * T(R(1.0 / (n * (n + 1)))), sine, one);
      cosine = fma(minus_square * T(R(1.0 / (n * (n - 1)))), cosine, one);
    });
    s = sine * cosine;
    k = T(R(0.5)) * sine * sine;
  }
};

/// c above and its derivatives by r, for theta below a full turn.
template <class T>
struct InverseDerivative {
  T c, first, second;

  /// c has simple poles at whole turns: with z = r / (2 pi)^2
  ///
  ///     (2 pi)^2 c = sum over n > 0 of 2 / (n^2 - z)
  ///
  /// The first two terms are computed as such, and the rest, whose power series converges as 9^-n at a full turn, by 16
  /// terms of it: 2 (zeta(2 n + 2) - 1 - 4^-(n + 1)) z^n.
  POLHODE_HD explicit InverseDerivative(const T& r) {
    using R = Real<T>;
    const T unit(R(0.025330295910584444)), one(R(1)), two(R(2)), four(R(4)), z = unit * r;  // 1 / (2 pi)^2
    T rest(R(1.0794275618405878e-15)), slope(R(0)), bend(R(0));                             // bend: half the second
    const auto add = [&](double coefficient) POLHODE_LAMBDA {
      bend = fma(bend, z, slope);
      slope = fma(slope, z, rest);
      rest = fma(rest, z, T(static_cast<R>(coefficient)));
    };
    add(9.7156083793344935e-15);
    add(8.7452653085984638e-14);
    add(7.8726903476996932e-13);
    add(7.0885517377092249e-12);
    add(6.3847252340980007e-11);
    add(5.754349330922263e-10);
    add(5.1919987496797129e-9);
    add(4.6940692303743465e-8);
    add(4.2595761740965852e-7);
    add(3.8918566160965973e-6);
    add(3.6025255636170674e-5);
    add(0.00034221239588867876);
    add(0.0034361239688982794);
    add(0.039646467422276383);
    add(0.78986813369645287);
    const T inverse = one / ((one - z) * (four - z)), near = (four - z) * inverse, far = (one - z) * inverse;
    const T near2 = near * near, far2 = far * far, unit2 = unit * unit;
    c = unit * fma(two, near + far, rest);
    first = unit2 * fma(two, near2 + far2, slope);
    second = (unit2 * unit) * (two * fma(two, fma(near2, near, far2 * far), bend));
  }
};

}  // namespace polhode::inline POLHODE_ISA
