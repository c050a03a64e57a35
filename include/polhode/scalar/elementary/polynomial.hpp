// What the elementary functions are made of. Their polynomials are minimax approximations by Remez's exchange, whose
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

template <class T>
inline constexpr bool is_single_precision = std::numeric_limits<Real<T>>::digits == 24;

/// c[0] x^(n - 1) + ... + c[n - 1], by Horner's rule.
template <class T, int n>
POLHODE_HD T polynomial(const T& x, const Real<T> (&c)[n]) {
  T sum(c[0]);
  unroll<n - 1>([&](int k) POLHODE_LAMBDA { sum = fma(sum, x, T(c[k + 1])); });
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
