// sin and cos, of exact operations alone: the same bits everywhere.
#pragma once

#include "polhode/scalar/dual.hpp"
#include "polhode/scalar/elementary/polynomial.hpp"

namespace polhode::inline POLHODE_ISA {

template <class T>
struct SinCos {
  T sin, cos;
};

/// Sine and cosine of r + quarters pi/2, given those of r and a number of quarter turns.
template <class T>
POLHODE_HD SinCos<T> turned_by_quarters(const T& quarters, const T& s, const T& c) {
  using R = Real<T>;
  constexpr R whole = R(1.5) * R(std::uint64_t{1} << (std::numeric_limits<R>::digits - 1));
  const T one(R(1)), two(R(2));
  // The quadrant: 0, 1 or -1, 2 or -2.
  const T quadrant = quarters - T(R(4)) * ((quarters * T(R(0.25)) + T(whole)) - T(whole));
  const Mask<T> is_odd = abs(quadrant) == one, is_back = abs(quadrant) == two;
  const T sine = select(is_odd, c, s), cosine = select(is_odd, s, c);
  return {select(is_back | (quadrant == -one), -sine, sine), select(is_back | (quadrant == one), -cosine, cosine)};
}

/// sin and cos of an angle, to an absolute error of 1 ulp of 1 for |x| below 2^20 (2^10 in single precision); NaN where
/// it is not finite. Two thirds of the cost of sin(x) and cos(x), which
/// are accurate next to their zeros, too.
///
/// x is reduced to |r| <= pi/4 by multiples of pi/2, which are subtracted in two parts. There the power series end with
/// terms below round-off, r^17 / 17! = 5e-17.
template <class T>
POLHODE_HD SinCos<T> sin_cos(const T& x) {
  using R = Real<T>;
  constexpr int digits = std::numeric_limits<R>::digits;
  constexpr R whole = R(1.5) * R(std::uint64_t{1} << (digits - 1));  // what is added to it is rounded to an integer
  constexpr R quarter = R(1.5707963267948966), rest = R(digits == 24 ? -4.37113882867379e-8 : 6.123233995736766e-17);
  const T one(R(1));
  const T quarters = (x * T(R(0.6366197723675814)) + T(whole)) - T(whole);
  const T r = fma(quarters, T(-rest), fma(quarters, T(-quarter), x)), square = r * r;
  const T s = polynomial(square, R(1) / R(355687428096000.0), R(-1) / R(1307674368000.0), R(1) / R(6227020800.0),
                         R(-1) / R(39916800.0), R(1) / R(362880.0), R(-1) / R(5040.0), R(1) / R(120.0), R(-1) / R(6.0));
  const T c = polynomial(square, R(1) / R(20922789888000.0), R(-1) / R(87178291200.0), R(1) / R(479001600.0),
                         R(-1) / R(3628800.0), R(1) / R(40320.0), R(-1) / R(720.0), R(1) / R(24.0), R(-1) / R(2.0));
  return turned_by_quarters(quarters, fma(s * square, r, r), fma(c, square, one));
}

/// Sine and cosine of r to about twice the digits, less some, where x = n pi/2 + r.
template <class T>
struct ReducedAngle {
  SumOfTwo<T> sin, cos;
  T n;
};
/// Sine and cosine of x less a multiple of pi/2, for |x| <= 2^30 (2^14 in single precision).
///
/// x = n pi/2 + r with an integer n and |r| <= pi/4. The first difference is exact (both terms are multiples of the
/// last bit of pi/2, and it is less than 1); with three parts of pi/2, r has about twice the digits. Then sin(r) = r +
/// r^3 p and cos(r) = 1 - r^2/2 + r^4 q with polynomials p, q of r^2, to 2^-57 of r and 2^-59 (2^-28 and 2^-32 in
/// single precision).
template <class T>
POLHODE_HD ReducedAngle<T> reduced_sine_and_cosine(const T& x) {
  using R = Real<T>;
  constexpr R quarter = R(1.5707963267948966);
  constexpr R second = is_single_precision<T> ? R(-4.371138828673793e-08) : R(6.123233995736766e-17);
  constexpr R third = is_single_precision<T> ? R(-1.7151245100058819e-15) : R(-1.4973849048591698e-33);
  const T n = nearest_integer(x, R(0.6366197723675814));
  const T first = fma(n, T(-quarter), x);
  // r + r_low = first - product; the difference of both may be of any size (Knuth).
  const T product = n * T(second), product_low = fma(n, T(second), -product);
  const T r = first - product, moved = r - first;
  const T r_low = fma(n, T(-third), ((first - (r - moved)) - (product + moved)) - product_low);
  const T z = r * r;
  T p, q;
  if constexpr (is_single_precision<T>) {
    p = polynomial(z, 2.71756539e-06, -0.000198392561, 0.00833332911, -0.166666672);
    q = polynomial(z, 2.44312178e-05, -0.0013887306, 0.0416666456);
  } else {
    p = polynomial(z, -7.577392104831959e-13, 1.6058340511339434e-10, -2.505210470856006e-08, 2.7557319213419428e-06,
                   -0.000198412698412536, 0.008333333333333321, -0.16666666666666666);
    q = polynomial(z, -1.1357447885324852e-11, 2.0875681864901805e-09, -2.7557314056471515e-07, 2.4801587288491735e-05,
                   -0.0013888888888872598, 0.04166666666666659);
  }
  const T one(R(1)), r_half = r * T(R(0.5)), half = r_half * r, half_low = fma(r_half, r, -half), begun = one - half;
  const T of_sine = fma(r * z, p, r_low * begun), sine = r + of_sine;
  const T of_cosine = ((one - begun) - half) + fma(z * z, q, -fma(r, r_low, half_low)), cosine = begun + of_cosine;
  return {{sine, (r - sine) + of_sine}, {cosine, (begun - cosine) + of_cosine}, n};
}

/// sin(x) and cos(x) as below.
template <class T>
POLHODE_HD SinCos<T> sine_and_cosine(const T& x) {
  using R = Real<T>;
  constexpr R most = is_single_precision<T> ? R(16384) : R(1073741824);
  const ReducedAngle<T> reduced = reduced_sine_and_cosine(x);
  const SinCos<T> result = turned_by_quarters(reduced.n, reduced.sin.high, reduced.cos.high);
  const Mask<T> is_in_range = abs(x) <= T(most), is_zero = x == T(R(0));  // whose sign is kept
  const T unknown(std::numeric_limits<R>::quiet_NaN());
  return {select(is_zero, x, select(is_in_range, result.sin, unknown)), select(is_in_range, result.cos, unknown)};
}
/// Sine and cosine in extended precision, by the C library; for tests and references.
inline SinCos<long double> sine_and_cosine(long double x) { return {::sinl(x), ::cosl(x)}; }
/// Sine and cosine of complex numbers, by the C++ library.
template <class T>
requires requires(const T& x) { x.imag(); }
SinCos<T> sine_and_cosine(const T& x) { return {sin(x), cos(x)}; }
template <class T, int N>
POLHODE_HD SinCos<Dual<T, N>> sine_and_cosine(const Dual<T, N>& x) {
  const SinCos<T> values = sine_and_cosine(x.value);
  SinCos<Dual<T, N>> result{Dual<T, N>(values.sin), Dual<T, N>(values.cos)};
  for (int k = 0; k < N; ++k) {
    result.sin.tangent[k] = values.cos * x.tangent[k];
    result.cos.tangent[k] = -values.sin * x.tangent[k];
  }
  return result;
}

/// sin(x) within 0.8 ulp for |x| <= 2^30 (2^14 in single precision), next to its zeros too; NaN beyond. sin(-0) = -0.
template <class T>
POLHODE_HD T sin(const T& x) {
  return sine_and_cosine(x).sin;
}
/// cos(x) within 0.8 ulp for |x| <= 2^30 (2^14 in single precision), next to its zeros too; NaN beyond.
template <class T>
POLHODE_HD T cos(const T& x) {
  return sine_and_cosine(x).cos;
}

/// tan(x) within 0.85 ulp for |x| <= 2^30 (2^14 in single precision), next to its zeros and poles too; NaN beyond.
/// tan(-0) = -0.
template <class T>
POLHODE_HD T tan(const T& x) {
  using R = Real<T>;
  constexpr R most = is_single_precision<T> ? R(16384) : R(1073741824);
  const ReducedAngle<T> reduced = reduced_sine_and_cosine(x);
  const auto& [sine, cosine, n] = reduced;
  const Mask<T> is_odd = abs(n - T(R(2)) * nearest_integer(n, R(0.5))) == T(R(1));  // tan(r + pi/2) = -cos(r) / sin(r)
  const T value = quotient(SumOfTwo<T>{select(is_odd, cosine.high, sine.high), select(is_odd, cosine.low, sine.low)},
                           SumOfTwo<T>{select(is_odd, -sine.high, cosine.high), select(is_odd, -sine.low, cosine.low)});
  return select(x == T(R(0)), x, select(abs(x) <= T(most), value, T(std::numeric_limits<R>::quiet_NaN())));
}
/// Tangent in extended precision, by the C library; for tests and references.
inline long double tan(long double x) { return ::tanl(x); }
template <class T, int N>
POLHODE_HD Dual<T, N> tan(const Dual<T, N>& x) {
  Dual<T, N> result(tan(x.value));
  const T slope = fma(result.value, result.value, T(Real<T>(1)));
  for (int k = 0; k < N; ++k) result.tangent[k] = slope * x.tangent[k];
  return result;
}

}  // namespace polhode::inline POLHODE_ISA
