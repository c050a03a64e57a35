// Triangles of n x n matrices, stored row by row: the elements above the diagonal of an antisymmetric matrix, those on
// and above it of a symmetric one.
#pragma once

#include "polhode/math/vec.hpp"

namespace polhode::inline POLHODE_ISA {

/// Number of elements of an n x n matrix above the diagonal, and on or above it.
template <int n>
inline constexpr int above_size = n*(n - 1) / 2;
template <int n>
inline constexpr int upper_size = n*(n + 1) / 2;

/// Index of element ij, i < j, among those above the diagonal.
template <int n>
POLHODE_HD constexpr int above(int i, int j) {
  return i * (2 * n - i - 1) / 2 + j - i - 1;
}
/// Row and column of the element with a given index.
template <int n>
POLHODE_HD constexpr int above_row(int place) {
  int i = 0;
  while (place > above<n>(i, n - 1)) ++i;
  return i;
}
template <int n>
POLHODE_HD constexpr int above_column(int place) {
  const int i = above_row<n>(place);
  return place - above<n>(i, i + 1) + i + 1;
}
/// Index of element ij or ji among those on or above the diagonal.
template <int n>
POLHODE_HD constexpr int upper(int i, int j) {
  return i < j ? i * (2 * n - i + 1) / 2 + j - i : j * (2 * n - j + 1) / 2 + i - j;
}

/// Calls f(i, j) for i < j.
template <int n, class F>
POLHODE_HD void for_above(F&& f) {
  unroll<n>([&](int i) POLHODE_LAMBDA {
    unroll<n>([&](int j) POLHODE_LAMBDA {
      if (i < j) f(i, j);
    });
  });
}
/// Calls f(i, j) for i <= j.
template <int n, class F>
POLHODE_HD void for_upper(F&& f) {
  unroll<n>([&](int i) POLHODE_LAMBDA {
    unroll<n>([&](int j) POLHODE_LAMBDA {
      if (i <= j) f(i, j);
    });
  });
}

}  // namespace polhode::inline POLHODE_ISA
