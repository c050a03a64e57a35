// atan2, atan, asin and acos, of exact operations alone: the same bits everywhere.
#pragma once

#include "polhode/scalar/dual.hpp"
#include "polhode/scalar/elementary/polynomial.hpp"

namespace polhode::inline POLHODE_ISA {

/// Angle of (x, y) from the x axis, in [-pi, pi], with x and y to twice the digits; 0 at the origin.
///
/// With 0 <= s <= l the absolute values, atan(s / l) = b + atan(t), where b = 0 and t = s / l, or beyond tan(pi/8) b =
/// pi/4 and t = (s - l) / (s + l). Then atan(t) = t + t^3 p with a polynomial p of t^2, to 2^-58 of t (2^-28 in single
/// precision), and symmetries give the angle in the plane as a multiple of pi/4 plus or minus atan(t).
template <class T>
POLHODE_HD T extended_angle(const SumOfTwo<T>& y, const SumOfTwo<T>& x) {
  using R = Real<T>;
  using Limits = std::numeric_limits<R>;
  const T zero(R(0)), one(R(1)), infinity(Limits::infinity());
  const Mask<T> is_below = y.high < zero, is_left = x.high < zero;
  const SumOfTwo<T> ay{select(is_below, -y.high, y.high), select(is_below, -y.low, y.low)};
  const SumOfTwo<T> ax{select(is_left, -x.high, x.high), select(is_left, -x.low, x.low)};
  const Mask<T> is_steep = ay.high > ax.high;
  SumOfTwo<T> l{select(is_steep, ay.high, ax.high), select(is_steep, ay.low, ax.low)};
  SumOfTwo<T> s{select(is_steep, ax.high, ay.high), select(is_steep, ax.low, ay.low)};
  // Sums and quotients of both neither overflow nor lose digits.
  const T scale = select(l.high > T(Limits::max() * R(0x1p-30)), T(R(0x1p-30)),
                         select(l.high < T(Limits::min() * R(0x1p30)), T(R(0x1p60)), one));
  const Mask<T> is_infinite = l.high == infinity;
  s = {select(is_infinite, select(s.high == infinity, one, s.high * zero), s.high * scale),
       select(is_infinite, zero, s.low * scale)};
  l = {select(is_infinite | (l.high == zero), one, l.high * scale), select(is_infinite, zero, l.low * scale)};

  const Mask<T> is_wide = s.high > T(R(0.41421356237309503)) * l.high;
  const T difference = s.high - l.high, sum = l.high + s.high;
  const SumOfTwo<T> numerator{select(is_wide, difference, s.high),
                              select(is_wide, (s.high - (difference + l.high)) + (s.low - l.low), s.low)};
  const SumOfTwo<T> denominator{select(is_wide, sum, l.high),
                                select(is_wide, (s.high - (sum - l.high)) + (l.low + s.low), l.low)};
  const auto& [t, t_low] = extended_quotient(numerator, denominator);
  const T z = t * t;
  T p;
  if constexpr (is_single_precision<T>) {
    p = polynomial(z, -0.0608323403, 0.105959199, -0.142438382, 0.199984893, -0.333333164);
  } else {
    p = polynomial(z, 0.015207950616791664, -0.03348704212603816, 0.045040893731496584, -0.05218537026537569,
                   0.058770423796394196, -0.06666228856721697, 0.07692282900644473, -0.09090908150798482,
                   0.11111111088351247, -0.14285714285390785, 0.19999999999997692, -0.33333333333333326);
  }
  const T rest = fma(t * z, p, t_low);

  // eighths pi/4 + sign (t + rest)
  constexpr R eighth = R(0.7853981633974483);
  constexpr R eighth_low = is_single_precision<T> ? R(-2.1855694143368964e-08) : R(3.061616997868383e-17);
  T eighths = select(is_wide, one, zero), sign = one;
  eighths = select(is_steep, T(R(2)) - eighths, eighths);
  sign = select(is_steep, -sign, sign);
  eighths = select(is_left, T(R(4)) - eighths, eighths);
  sign = select(is_left, -sign, sign);
  const T begun = eighths * T(eighth), begun_low = fma(eighths, T(eighth), -begun) + eighths * T(eighth_low);
  const T turned = sign * t, high = begun + turned, low = (turned - (high - begun)) + fma(sign, rest, begun_low);
  const T angle = high + low;
  return select(is_below, -angle, angle);
}

/// Root of a sum, to about twice the digits.
template <class T>
POLHODE_HD SumOfTwo<T> extended_sqrt(const SumOfTwo<T>& x) {
  using R = Real<T>;
  const T root = sqrt(x.high), low = (fma(-root, root, x.high) + x.low) / (root + root);
  return {root, select(root == T(R(0)), root, low)};
}
/// sqrt(1 - x^2), to about twice the digits.
template <class T>
POLHODE_HD SumOfTwo<T> extended_cofactor(const T& x) {
  const T one(Real<T>(1)), square = x * x, low = fma(x, x, -square), rest = one - square;
  const T rest_low = ((one - rest) - square) - low, sum = rest + rest_low;
  return extended_sqrt(SumOfTwo<T>{sum, rest_low - (sum - rest)});
}

/// Angle of (x, y) from the x axis, within 0.8 ulp, in [-pi, pi] as rounded, for infinite numbers, too. At the origin
/// it is 0, and -0 counts as 0; NaN of NaN.
template <class T>
POLHODE_HD T atan2(const T& y, const T& x) {
  const T zero(Real<T>(0));
  return extended_angle(SumOfTwo<T>{y, zero}, SumOfTwo<T>{x, zero});
}
/// Angle of (x, y) in extended precision, by the C library; for tests and references.
inline long double atan2(long double y, long double x) { return ::atan2l(y, x); }
/// Angle of complex (x, y) with small imaginary parts, to first order in these, by the C++ library.
template <class T>
requires requires(const T& x) { x.imag(); }
T atan2(const T& y, const T& x) {
  const auto square = x.real() * x.real() + y.real() * y.real();
  return {std::atan2(y.real(), x.real()), (x.real() * y.imag() - y.real() * x.imag()) / square};
}
template <class T, int N>
POLHODE_HD Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  Dual<T, N> result(atan2(y.value, x.value));
  const T square = fma(x.value, x.value, y.value * y.value), by_y = x.value / square, by_x = -y.value / square;
  for (int k = 0; k < N; ++k) result.tangent[k] = fma(by_y, y.tangent[k], by_x * x.tangent[k]);
  return result;
}

/// Arc tangent within 0.8 ulp, of infinite numbers, too. atan(-0) = -0; NaN of NaN.
template <class T>
POLHODE_HD T atan(const T& x) {
  const T zero(Real<T>(0)), one(Real<T>(1));
  return select(x == zero, x, extended_angle(SumOfTwo<T>{x, zero}, SumOfTwo<T>{one, zero}));
}
/// Arc tangent in extended precision, by the C library; for tests and references.
inline long double atan(long double x) { return ::atanl(x); }
template <class T, int N>
POLHODE_HD Dual<T, N> atan(const Dual<T, N>& x) {
  Dual<T, N> result(atan(x.value));
  const T slope = T(Real<T>(1)) / fma(x.value, x.value, T(Real<T>(1)));
  for (int k = 0; k < N; ++k) result.tangent[k] = slope * x.tangent[k];
  return result;
}

/// Arc sine within 0.8 ulp, in [-pi/2, pi/2]; NaN where |x| > 1. asin(-0) = -0.
template <class T>
POLHODE_HD T asin(const T& x) {
  const T zero(Real<T>(0));
  return select(x == zero, x, extended_angle(SumOfTwo<T>{x, zero}, extended_cofactor(x)));
}
/// Arc sine in extended precision, by the C library; for tests and references.
inline long double asin(long double x) { return ::asinl(x); }
template <class T, int N>
POLHODE_HD Dual<T, N> asin(const Dual<T, N>& x) {
  using R = Real<T>;
  Dual<T, N> result(asin(x.value));
  const T slope = T(R(1)) / sqrt((T(R(1)) - x.value) * (T(R(1)) + x.value));
  for (int k = 0; k < N; ++k) result.tangent[k] = slope * x.tangent[k];
  return result;
}

/// Arc cosine within 0.8 ulp, in [0, pi]; NaN where |x| > 1.
template <class T>
POLHODE_HD T acos(const T& x) {
  return extended_angle(extended_cofactor(x), SumOfTwo<T>{x, T(Real<T>(0))});
}
/// Arc cosine in extended precision, by the C library; for tests and references.
inline long double acos(long double x) { return ::acosl(x); }
template <class T, int N>
POLHODE_HD Dual<T, N> acos(const Dual<T, N>& x) {
  using R = Real<T>;
  Dual<T, N> result(acos(x.value));
  const T slope = T(R(-1)) / sqrt((T(R(1)) - x.value) * (T(R(1)) + x.value));
  for (int k = 0; k < N; ++k) result.tangent[k] = slope * x.tangent[k];
  return result;
}

}  // namespace polhode::inline POLHODE_ISA
