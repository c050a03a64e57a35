// sinh, cosh and tanh, of exact operations alone: the same bits everywhere.
#pragma once

#include "polhode/scalar/dual.hpp"
#include "polhode/scalar/elementary/exponential.hpp"

namespace polhode::inline POLHODE_ISA {

/// |x| up to which sinh and tanh are series: ln(2) / 2, below which exp is not scaled.
template <class T>
inline constexpr Real<T> most_of_series = Real<T>(0.34657359027997264);

/// e^a + sign e^-a for a >= 0 to about twice the digits. With e^a = 2^k m and 0.7 < m < 1.42 it is 2^k (m + sign 2^-2k
/// / m), where the second term is less than the first one's round-off beyond k = 60.
template <class T>
POLHODE_HD ScaledSum<T> exponential_sum(const T& a, Real<T> sign) {
  using R = Real<T>;
  const T one(R(1)), zero(R(0)), most(R(60));
  const ScaledSum<T> m = scaled_exp(SumOfTwo<T>{a, zero});
  const auto& [inverse, inverse_low] = extended_quotient(SumOfTwo<T>{one, zero}, SumOfTwo<T>{m.high, m.low});
  const T scale = T(sign) * power_of_two(T(R(-2)) * select(m.k > most, most, m.k));
  const T second = scale * inverse, sum = m.high + second;
  const T low = (second - (sum - m.high)) + fma(scale, inverse_low, m.low);
  const T high = sum + low;
  return {high, low - (high - sum), m.k};
}

/// Hyperbolic sine within 0.8 ulp, infinite where the exact one, rounded, is. sinh(-0) = -0; NaN of NaN.
template <class T>
POLHODE_HD T sinh(const T& x) {
  using R = Real<T>;
  const T a = abs(x), z = x * x;
  const ScaledSum<T> sum = exponential_sum(a, R(-1));
  const T size = scaled(sum.high, sum.k - T(R(1)));
  T p;
  if constexpr (is_single_precision<T>) {
    p = polynomial(z, 0.000199049609, 0.00833328906, 0.166666672);
  } else {
    p = polynomial(z, 1.609082085067686e-10, 2.5052056788106923e-08, 2.7557319265191276e-06, 0.00019841269841253207,
                   0.008333333333333337, 0.16666666666666666);
  }
  return select(a < T(most_of_series<T>), fma(x * z, p, x), select(x < T(R(0)), -size, size));
}
/// Hyperbolic sine in extended precision, by the C library; for tests and references.
inline long double sinh(long double x) { return ::sinhl(x); }

/// Hyperbolic cosine within 0.65 ulp, infinite where the exact one, rounded, is; NaN of NaN.
template <class T>
POLHODE_HD T cosh(const T& x) {
  const ScaledSum<T> sum = exponential_sum(abs(x), Real<T>(1));
  return scaled(sum.high, sum.k - T(Real<T>(1)));
}
/// Hyperbolic cosine in extended precision, by the C library; for tests and references.
inline long double cosh(long double x) { return ::coshl(x); }

template <class T, int N>
POLHODE_HD Dual<T, N> sinh(const Dual<T, N>& x) {
  Dual<T, N> result(sinh(x.value));
  const T slope = cosh(x.value);
  for (int k = 0; k < N; ++k) result.tangent[k] = slope * x.tangent[k];
  return result;
}
template <class T, int N>
POLHODE_HD Dual<T, N> cosh(const Dual<T, N>& x) {
  Dual<T, N> result(cosh(x.value));
  const T slope = sinh(x.value);
  for (int k = 0; k < N; ++k) result.tangent[k] = slope * x.tangent[k];
  return result;
}

/// Hyperbolic tangent within 0.65 ulp. tanh(-0) = -0; NaN of NaN.
///
/// tanh(a) = 1 - 2 / (e^2a + 1), which is 1 beyond a = 20.
template <class T>
POLHODE_HD T tanh(const T& x) {
  using R = Real<T>;
  const T one(R(1)), two(R(2)), zero(R(0)), most(R(20)), z = x * x;
  const T size = abs(x), a = select(size > most, most, size);
  const ScaledSum<T> m = scaled_exp(SumOfTwo<T>{a + a, zero});
  const T scale = power_of_two(m.k), high = scale * m.high, sum = high + one;
  const SumOfTwo<T> quotient =
      extended_quotient(SumOfTwo<T>{two, zero}, SumOfTwo<T>{sum, (one - (sum - high)) + scale * m.low});
  const T rest = one - quotient.high, beyond = rest + (((one - rest) - quotient.high) - quotient.low);
  T p;
  if constexpr (is_single_precision<T>) {
    p = polynomial(z, 0.0194688458, -0.0537325181, 0.133324102, -0.333333224);
  } else {
    p = polynomial(z, -0.00018860413367057595, 0.0005778202165993873, -0.0014541666400831926, 0.0035919894836018004,
                   -0.008863228407084072, 0.021869488314462417, -0.05396825396434513, 0.13333333333329953,
                   -0.33333333333333326);
  }
  const T series = select(x == zero, x, fma(x * z, p, x));
  return select(size < T(most_of_series<T>), series, select(x < zero, -beyond, beyond));
}
/// Hyperbolic tangent in extended precision, by the C library; for tests and references.
inline long double tanh(long double x) { return ::tanhl(x); }
template <class T, int N>
POLHODE_HD Dual<T, N> tanh(const Dual<T, N>& x) {
  Dual<T, N> result(tanh(x.value));
  const T slope = fma(-result.value, result.value, T(Real<T>(1)));
  for (int k = 0; k < N; ++k) result.tangent[k] = slope * x.tangent[k];
  return result;
}

}  // namespace polhode::inline POLHODE_ISA
