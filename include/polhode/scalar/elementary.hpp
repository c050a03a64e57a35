// Elementary functions composed of the exact operations of the scalar vocabulary alone, so that they are bitwise
// identical everywhere; those of vector libraries and GPUs are not.
#pragma once

#include <cstdint>
#include <limits>

#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// Angle of (x, y) from the x axis, in (-pi, pi]; 0 at the origin. Accurate to 2 ulp.
///
/// With 0 <= t = min/max <= 1 the arc tangent is pi/4 + atan((t - 1)/(t + 1)) beyond tan(pi/8); the power series then
/// has |t| <= 0.4143, whose 21st term is below 1e-17.
template <class T>
POLHODE_HD T azimuth(const T& y, const T& x) {
  using R = Real<T>;
  constexpr double pi = 3.14159265358979323846;
  const T zero(R(0)), one(R(1));
  const T ax = abs(x), ay = abs(y);
  const Mask<T> steep = ay > ax;
  const T larger = select(steep, ay, ax), smaller = select(steep, ax, ay);
  T t = select(larger > zero, smaller / larger, zero);
  const Mask<T> wide = t > T(R(0.41421356237309503));
  t = select(wide, (t - one) / (t + one), t);
  const T square = t * t;
  T series = T(R(1.0 / 43));
  for (int k = 20; k > 0; --k) series = fma(-square, series, T(R(1.0 / (2 * k + 1))));
  T angle = fma(-square * t, series, t);
  angle = select(wide, angle + T(R(pi / 4)), angle);
  angle = select(steep, T(R(pi / 2)) - angle, angle);
  angle = select(x < zero, T(R(pi)) - angle, angle);
  return select(y < zero, -angle, angle);
}

template <class T>
struct SinCos {
  T sin, cos;
};

/// sin and cos of an angle, to an absolute error of 1 ulp of 1 for |x| below 2^20 (2^10 in single precision); NaN where
/// it is not finite.
///
/// x is reduced to |r| <= pi/4 by multiples of pi/2, which are subtracted in two parts. There the power series end with
/// terms below round-off, r^17 / 17! = 5e-17.
template <class T>
POLHODE_HD SinCos<T> sin_cos(const T& x) {
  using R = Real<T>;
  constexpr int digits = std::numeric_limits<R>::digits;
  constexpr R whole = R(1.5) * R(std::uint64_t{1} << (digits - 1));  // what is added to it is rounded to an integer
  constexpr R quarter = R(1.5707963267948966), rest = R(digits == 24 ? -4.37113882867379e-8 : 6.123233995736766e-17);
  constexpr R of_sine[] = {
      R(1) / R(355687428096000.0), R(-1) / R(1307674368000.0), R(1) / R(6227020800.0), R(-1) / R(39916800.0),
      R(1) / R(362880.0),          R(-1) / R(5040.0),          R(1) / R(120.0),        R(-1) / R(6.0)};
  constexpr R of_cosine[] = {
      R(1) / R(20922789888000.0), R(-1) / R(87178291200.0), R(1) / R(479001600.0), R(-1) / R(3628800.0),
      R(1) / R(40320.0),          R(-1) / R(720.0),         R(1) / R(24.0),        R(-1) / R(2.0)};
  const T one(R(1)), two(R(2));
  const T quarters = (x * T(R(0.6366197723675814)) + T(whole)) - T(whole);
  const T r = fma(quarters, T(-rest), fma(quarters, T(-quarter), x)), square = r * r;
  T s(of_sine[0]), c(of_cosine[0]);
  unroll<7>([&](int k) POLHODE_LAMBDA {
    s = fma(s, square, T(of_sine[k + 1]));
    c = fma(c, square, T(of_cosine[k + 1]));
  });
  s = fma(s * square, r, r);
  c = fma(c, square, one);
  // The quadrant: 0, 1 or -1, 2 or -2.
  const T quadrant = quarters - T(R(4)) * ((quarters * T(R(0.25)) + T(whole)) - T(whole));
  const Mask<T> is_odd = abs(quadrant) == one, is_back = abs(quadrant) == two;
  const T sine = select(is_odd, c, s), cosine = select(is_odd, s, c);
  return {select(is_back | (quadrant == -one), -sine, sine), select(is_back | (quadrant == one), -cosine, cosine)};
}

}  // namespace polhode::inline POLHODE_ISA
