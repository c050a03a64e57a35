// exp, of exact operations alone: the same bits everywhere.
#pragma once

#include "polhode/scalar/dual.hpp"
#include "polhode/scalar/elementary/polynomial.hpp"

namespace polhode::inline POLHODE_ISA {

/// 2^k (high + low), with an integer k.
template <class T>
struct ScaledSum {
  T high, low, k;
};

/// exp(x.high + x.low), for pow and the hyperbolic functions, to 2^-58 (2^-28 in single precision); k is between -1076
/// and 1026 (-152 and 130), where the result is 0 or infinite. x.low must be 0 where |x.high| is above 750 (110).
///
/// x = k ln 2 + r with an integer k and |r| <= ln(2) / 2, whose first difference is exact (both terms are multiples of
/// the last bit of ln 2, and it is less than 1); then exp(r) = 1 + r + r^2 p(r) with a polynomial p, to 2^-60 (2^-29
/// in single precision).
template <class T>
POLHODE_HD ScaledSum<T> scaled_exp(const SumOfTwo<T>& x) {
  using R = Real<T>;
  constexpr R least = is_single_precision<T> ? R(-105) : R(-746),
              most = is_single_precision<T> ? R(90) : R(711);  // 0 and infinity, of sinh and cosh, too
  constexpr R ln_2 = R(0.6931471805599453),
              rest = is_single_precision<T> ? R(-1.9046542121259336e-09) : R(2.3190468138462996e-17);
  const T bounded_below = select(x.high < T(least), T(least), x.high);
  const T bounded = select(bounded_below > T(most), T(most), bounded_below);
  const T k = nearest_integer(bounded, R(1.4426950408889634));
  const T first = fma(k, T(-ln_2), bounded), second = fma(k, T(-rest), x.low);
  const T r = first + second, r_low = (first - r) + second;
  T p;
  if constexpr (is_single_precision<T>) {
    p = polynomial(r, 0.000199183123, 0.00139460748, 0.00833326485, 0.0416662693, 0.166666672, 0.5);
  } else {
    p = polynomial(r, 2.0926825203276147e-09, 2.511224020762647e-08, 2.755723378193244e-07, 2.755723423581004e-06,
                   2.480158737318202e-05, 0.00019841269897059844, 0.0013888888888858775, 0.008333333333316739,
                   0.04166666666666673, 0.16666666666666685, 0.5);
  }
  const T one(R(1));
  const T higher = fma(r * r, p, fma(r, r_low, r_low)), begun = one + r, rest_of_sum = (r - (begun - one)) + higher;
  const T sum = begun + rest_of_sum;
  return {sum, rest_of_sum - (sum - begun), k};
}

/// 2^k x for an integer k between -2044 and 2046 (-252 and 254): where 2^k is not a normal number, multiplication by
/// its halves rounds a second time.
template <class T>
POLHODE_HD T scaled(const T& x, const T& k) {
  const T half = nearest_integer(k, Real<T>(0.5));
  return x * power_of_two(half) * power_of_two(k - half);
}

/// e^x within 0.65 ulp, and 0.8 ulp where the result is subnormal. It is infinite or 0 where the exact one, rounded,
/// is. exp(-inf) = 0, exp(inf) = inf; NaN of NaN.
template <class T>
POLHODE_HD T exp(const T& x) {
  const ScaledSum<T> value = scaled_exp(SumOfTwo<T>{x, T(Real<T>(0))});
  return scaled(value.high, value.k);
}
/// Exponential in extended precision, by the C library; for tests and references.
inline long double exp(long double x) { return ::expl(x); }
template <class T, int N>
POLHODE_HD Dual<T, N> exp(const Dual<T, N>& x) {
  Dual<T, N> result(exp(x.value));
  for (int k = 0; k < N; ++k) result.tangent[k] = result.value * x.tangent[k];
  return result;
}

}  // namespace polhode::inline POLHODE_ISA
