// pow, of exact operations alone: the same bits everywhere.
#pragma once

#include <type_traits>

#include "polhode/scalar/elementary/exponential.hpp"
#include "polhode/scalar/elementary/logarithm.hpp"

namespace polhode::inline POLHODE_ISA {

/// x^n for n >= 1 by products: x^(2k) is the square of x^k, and x^(2k+1) is x^(2k) x.
template <int n, class T>
POLHODE_HD T whole_power(const T& x) {
  if constexpr (n == 1) {
    return x;
  } else {
    const T root = whole_power<n / 2>(x), square = root * root;
    if constexpr (n % 2 == 0)
      return square;
    else
      return square * x;
  }
}

/// x^y = exp(y log(x)) for x >= 0, within 0.65 ulp, and 0.8 ulp where the result is subnormal. It has the special
/// values of C's pow: pow(x, 0) = pow(1, y) = 1, whatever x or y is; pow(0, y) and pow(inf, y) are 0 or infinity. But
/// -0 counts as 0, and a negative x gives NaN unless y = 0: powers with integer exponents are products.
template <class T>
POLHODE_OUTLINED T pow(const T& x, const T& y) {
  using R = Real<T>;
  const T zero(R(0)), one(R(1));
  const SumOfTwo<T> logarithm = extended_log(x);
  const T high = y * logarithm.high, low = fma(y, logarithm.high, -high) + y * logarithm.low;
  const ScaledSum<T> value =
      scaled_exp(SumOfTwo<T>{high, select(abs(high) < T(is_single_precision<T> ? R(110) : R(750)), low, zero)});
  const T result = scaled(value.high, value.k);
  const Mask<T> is_one = x == one, is_zeroth = y == zero;
  return select(is_one | is_zeroth, one, result);
}
/// x^y in extended precision, by the C library; for tests and references.
inline long double pow(long double x, long double y) { return ::powl(x, y); }
/// x^y with the same y in all lanes, and constant.
template <class T>
requires(!std::is_same_v<T, Real<T>>) POLHODE_HD T pow(const T& x, const Real<T>& y) { return pow(x, T(y)); }

/// x^y, whose derivative by y is taken to be 0 where x = 0: its limit for y > 0.
template <class T, int N>
POLHODE_HD Dual<T, N> pow(const Dual<T, N>& x, const Dual<T, N>& y) {
  using R = Real<T>;
  const T zero(R(0)), one(R(1));
  Dual<T, N> result(pow(x.value, y.value));
  const Mask<T> at_zero = x.value == zero, is_constant = y.value == zero;
  const T by_x = select(at_zero & is_constant, zero, y.value * pow(x.value, y.value - one));
  const T by_y = result.value * log(select(x.value > zero, x.value, one));
  for (int k = 0; k < N; ++k) result.tangent[k] = fma(by_x, x.tangent[k], by_y * y.tangent[k]);
  return result;
}
/// x^y with the derivative by x alone.
template <class T, int N>
POLHODE_HD Dual<T, N> pow(const Dual<T, N>& x, const Real<T>& y) {
  using R = Real<T>;
  Dual<T, N> result(pow(x.value, T(y)));
  T by_x(R(0));
  if (y != R(0)) by_x = T(y) * pow(x.value, T(y - R(1)));
  for (int k = 0; k < N; ++k) result.tangent[k] = by_x * x.tangent[k];
  return result;
}

}  // namespace polhode::inline POLHODE_ISA
