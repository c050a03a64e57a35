// Orthonormal basis of the null space of a wide matrix of full rank, by Householder's reflections (Golub & Van Loan
// 2013, sect. 5.1, 5.2.2). It depends smoothly on the matrix where no sign changes.
#pragma once

#include "polhode/math/lu.hpp"

namespace polhode::inline POLHODE_ISA {

/// N - D orthonormal vectors that the rows annihilate; NaN if the rows are dependent.
template <class T, int D, int N>
POLHODE_OUTLINED Mat<T, N - D, N> null_space(Mat<T, D, N> rows) {
  const T zero(Real<T>(0)), one(Real<T>(1));
  // Row i becomes the vector w of the reflection 1 - w w^T, |w|^2 = 2, which annihilates its components after i.
  for (int i = 0; i < D; ++i) {
    Vec<T, N>& w = rows[i];
    for (int j = 0; j < i; ++j) w[j] = zero;
    const T norm = sqrt(dot(w, w));
    w[i] = w[i] + select(w[i] < zero, -norm, norm);
    const T factor = one / sqrt(norm * abs(w[i]));
    w = factor * w;
    for (int k = i + 1; k < D; ++k) rows[k] = fma(-dot(w, rows[k]), w, rows[k]);
  }
  Mat<T, N - D, N> basis;
  for (int k = 0; k < N - D; ++k) {
    for (int j = 0; j < N; ++j) basis[k][j] = j == D + k ? one : zero;
    for (int i = D - 1; i >= 0; --i) basis[k] = fma(-dot(rows[i], basis[k]), rows[i], basis[k]);
  }
  return basis;
}

}  // namespace polhode::inline POLHODE_ISA
