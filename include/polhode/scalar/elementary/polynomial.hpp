// Parts of the elementary functions. Their polynomials are minimax approximations by Remez's exchange, whose
// coefficients scripts/fit-elementary prints.
#pragma once

#include <cstdint>
#include <limits>

#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// A number of about twice the digits: high + low, with high the nearest number to the sum.
template <class T>
struct SumOfTwo {
  T high, low;
};

/// a / b to about twice the digits; its low part is at most one unit in the last place of the high one.
template <class T>
POLHODE_HD SumOfTwo<T> extended_quotient(const SumOfTwo<T>& a, const SumOfTwo<T>& b) {
  const T q = a.high / b.high, low = (fma(-q, b.high, a.high) + (a.low - q * b.low)) / b.high;
  return {q, low};
}
/// a / b, rounded.
template <class T>
POLHODE_HD T quotient(const SumOfTwo<T>& a, const SumOfTwo<T>& b) {
  const auto& [high, low] = extended_quotient(a, b);
  return high + low;
}

template <class T>
inline constexpr bool is_single_precision = std::numeric_limits<Real<T>>::digits == 24;

/// first x^n + ... + last, by Horner's rule. The coefficients are no array because nvcc left more of a large kernel in
/// memory with one.
template <class T, class... Coefficient>
POLHODE_HD T polynomial(const T& x, double first, Coefficient... rest) {
  T sum(static_cast<Real<T>>(first));
  ((sum = fma(sum, x, T(static_cast<Real<T>>(rest)))), ...);
  return sum;
}

/// x * factor rounded to an integer, for one below 2^51 (2^22 in single precision).
template <class T>
POLHODE_HD T nearest_integer(const T& x, Real<T> factor) {
  using R = Real<T>;
  constexpr R whole = R(1.5) * R(std::uint64_t{1} << (std::numeric_limits<R>::digits - 1));
  return fma(x, T(factor), T(whole)) - T(whole);
}

}  // namespace polhode::inline POLHODE_ISA
