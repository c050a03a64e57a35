// log, of exact operations alone: the same bits everywhere.
#pragma once

#include "polhode/scalar/dual.hpp"
#include "polhode/scalar/elementary/polynomial.hpp"

namespace polhode::inline POLHODE_ISA {

/// log(x) to twice the digits, less some: its relative error is below 2^-64 (2^-36 in single precision), which is what
/// pow needs. The special values of log are in high; low is of no meaning with them.
///
/// x = 2^e m with m between sqrt(1/2) and sqrt(2), s = (m - 1) / (m + 1), and
///
///   log(x) = e ln 2 + 2 (s + s^3 / 3 + s^5 p(s^2))
///
/// with a polynomial p, to 2^-66 (2^-38) of s. e ln 2 is exact in its first part. Sums are in the order of size, so
/// that the difference of a sum and its first term is exact (Dekker).
template <class T>
POLHODE_HD SumOfTwo<T> extended_log(const T& x) {
  using R = Real<T>;
  using Limits = std::numeric_limits<R>;
  const T zero(R(0)), one(R(1));
  const Mask<T> is_subnormal = x < T(Limits::min()), is_bounded = x < T(Limits::infinity());
  const Mask<T> is_positive = x > zero;
  const T normal = select(is_subnormal, x * T(R(std::uint64_t{1} << Limits::digits)), x);
  T e = exponent(normal) - select(is_subnormal, T(R(Limits::digits)), zero), m = significand(normal);
  const Mask<T> is_upper = m > T(R(1.4142135623730951));
  e = select(is_upper, e + one, e);
  m = select(is_upper, m * T(R(0.5)), m);

  const T f = m - one, d = m + one, d_low = m - (d - one), inverse = one / d;
  const T s = f * inverse, s_low = (fma(-s, d, f) - s * d_low) * inverse;
  const T z = s * s, z_low = fma(s + s, s_low, fma(s, s, -z));
  T p;
  if constexpr (is_single_precision<T>) {
    p = polynomial(z, 0.0973397866, 0.110925041, 0.14285937, 0.199999988);
  } else {
    p = polynomial(z, 0.05994505387148552, 0.05837409383337369, 0.0666815870351816, 0.07692278435659597,
                   0.09090909435154486, 0.11111111108768265, 0.14285714285722556, 0.1999999999999999);
  }
  // w = 1/3 + z p, then h = 2 s z w.
  constexpr R third = R(1.0 / 3),
              third_low = is_single_precision<T> ? R(-9.934107758624577e-09) : R(1.850371707708594e-17);
  const T v = z * p, v_low = fma(z, p, -v) + z_low * p;
  const T w = T(third) + v, w_low = ((T(third) - w) + v) + (T(third_low) + v_low);
  const T g = z * w, g_low = fma(z, w, -g) + fma(z, w_low, z_low * w);
  const T b = s + s, b_low = s_low + s_low;
  const T h = b * g, h_low = fma(b, g, -h) + fma(b, g_low, b_low * g);

  constexpr R ln_2 = is_single_precision<T> ? R(0.693145751953125) : R(0.6931471805598903);  // times e is exact
  constexpr R ln_2_rest = is_single_precision<T> ? R(1.428606765330187e-06) : R(5.497923018708371e-14);
  const T whole = e * T(ln_2), most = whole + b, sum = most + h;
  const T low = ((most - sum) + h) + (((whole - most) + b) + fma(e, T(ln_2_rest), b_low + h_low));
  const T high = sum + low;
  const T special = select(x == zero, T(-Limits::infinity()), T(Limits::quiet_NaN()));
  return {select(is_positive, select(is_bounded, high, T(Limits::infinity())), special), (sum - high) + low};
}

/// Natural logarithm within 0.51 ulp, of subnormal numbers too. log(0) = log(-0) = -inf, log(inf) = inf; NaN of NaN and
/// of what is negative.
template <class T>
POLHODE_HD T log(const T& x) {
  return extended_log(x).high;
}
/// Natural logarithm in extended precision, by the C library; for tests and references.
inline long double log(long double x) { return ::logl(x); }
template <class T, int N>
POLHODE_HD Dual<T, N> log(const Dual<T, N>& x) {
  Dual<T, N> result(log(x.value));
  for (int k = 0; k < N; ++k) result.tangent[k] = x.tangent[k] / x.value;
  return result;
}

}  // namespace polhode::inline POLHODE_ISA
