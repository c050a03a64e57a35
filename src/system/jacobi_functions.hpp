// Jacobi's elliptic functions. Host only.
#pragma once

#include <cmath>

#include "polhode/scalar/elementary.hpp"

namespace polhode::inline POLHODE_ISA {

struct JacobiFunctions {
  double sn, cn, dn;
};

/// Jacobi's functions at u = 2 K x / pi, so that a period of sn and cn is 2 pi in x, for 0 < kc2 <= 1. kc2 = 1 - k^2 is
/// the complementary parameter: near a separatrix k^2 itself would be rounded to 1. Accurate to a few ulp.
///
/// K = pi / (2 M), where M is the arithmetic-geometric mean of 1 and k'. Descending Landen transformations lead to the
/// circular functions of M u = x, and back by
///
///   C_i = C_(i+1) dn_(i+1),   dn_i = (b_i + y) / (a_i + y),   y = C_(i+1)^2 / a_(i+1),   C_i = a_i cn_i / sn_i
///
/// with the means a_i and b_i (Bulirsch, Numer. Math. 7 (1965) 78).
inline JacobiFunctions jacobi_functions(double x, double kc2) {
  constexpr int max_means = 16;            // the digits double in each step; the smallest k' = 1e-154 takes 12
  constexpr double near_enough = 0x1p-27;  // the next means would agree to round-off
  double a[max_means], b[max_means], mean = 1, other = std::sqrt(kc2);
  int n = 0;
  for (;;) {
    a[n] = mean;
    b[n] = other;
    mean = (a[n] + b[n]) / 2;
    if (++n == max_means || a[n - 1] - b[n - 1] <= near_enough * mean) break;
    other = std::sqrt(a[n - 1] * b[n - 1]);
  }
  const auto [sine, cosine] = sine_and_cosine(x);
  if (sine == 0) return {0, cosine, 1};
  double c = mean * cosine / sine, dn = 1;
  while (n-- > 0) {
    const double y = c * c / mean;
    c *= dn;
    dn = (b[n] + y) / (a[n] + y);
    mean = a[n];
  }
  const double sn = std::copysign(1 / std::sqrt(1 + c * c), sine);
  return {sn, c * sn, dn};
}

}  // namespace polhode::inline POLHODE_ISA
