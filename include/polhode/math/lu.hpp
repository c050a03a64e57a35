// Linear systems of a small fixed size, without pivoting, for matrices with nonzero leading minors, such as positive
// definite ones and those close to them.
#pragma once

#include <type_traits>

#include "polhode/math/vec.hpp"

namespace polhode::inline POLHODE_ISA {

/// R x C matrix, stored by rows.
template <class T, int R, int C>
using Mat = Vec<Vec<T, C>, R>;

/// Calls f(0), ..., f(N-1): unrolled as long as that leaves registers, otherwise a loop through memory.
template <int N, class F>
POLHODE_HD void repeat(F&& f) {
  if constexpr (N <= 6) {
    unroll<N>(f);
  } else {
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#elif !defined(__CUDACC__)
#pragma GCC unroll 1
#endif
    for (int i = 0; i < N; ++i) f(i);
  }
}

/// Gaussian elimination. In double precision the last two unknowns follow from Cramer's rule, with one division instead
/// of two; a division takes as long as thirty fused operations. The product of two pivots must then be in range, which
/// in single precision masses and lengths could violate.
template <class T, int N>
class LU {
 public:
  /// Solutions are not finite if a pivot or the determinant is zero, infinite or NaN.
  POLHODE_HD explicit LU(const Mat<T, N, N>& a) : a_(a) {
    repeat<K>([&](int k) POLHODE_LAMBDA {
      a_[k][k] = inverse_of(a_[k][k]);
      repeat<N>([&](int i) POLHODE_LAMBDA {
        if (i <= k) return;
        a_[i][k] = a_[i][k] * a_[k][k];
        repeat<N>([&](int j) POLHODE_LAMBDA {
          if (j > k) a_[i][j] = fma(-a_[i][k], a_[k][j], a_[i][j]);
        });
      });
    });
    if constexpr (K < N) {
      T determinant = a_[K][K];
      if constexpr (K < N - 1) determinant = fma(a_[K][K], a_[N - 1][N - 1], -(a_[K][N - 1] * a_[N - 1][K]));
      inverse_ = inverse_of(determinant);
    } else {
      inverse_ = T(Real<T>(1));  // unused, but copies must not read an indeterminate value
    }
  }

  /// a^-1 b.
  POLHODE_HD Vec<T, N> solve(Vec<T, N> b) const {
    repeat<N>([&](int i) POLHODE_LAMBDA {
      repeat<K>([&](int j) POLHODE_LAMBDA {
        if (j < i) b[i] = fma(-a_[i][j], b[j], b[i]);
      });
    });
    if constexpr (K < N) {
      T numerator = b[K];
      if constexpr (K < N - 1) {
        numerator = fma(a_[N - 1][N - 1], b[K], -(a_[K][N - 1] * b[N - 1]));
        b[N - 1] = inverse_ * fma(a_[K][K], b[N - 1], -(a_[N - 1][K] * b[K]));
      }
      b[K] = inverse_ * numerator;
    }
    repeat<K>([&](int k) POLHODE_LAMBDA {
      const int i = K - 1 - k;
      repeat<N>([&](int j) POLHODE_LAMBDA {
        if (j > i) b[i] = fma(-a_[i][j], b[j], b[i]);
      });
      b[i] = a_[i][i] * b[i];
    });
    return b;
  }

  /// Whether a matrix that is definite or nearly diagonal is singular to round-off: a pivot does not exceed the
  /// rounding error of the diagonal element it came from.
  POLHODE_HD Mask<T> is_singular(const Mat<T, N, N>& a) const {
    const T round_off(Real<T>(16 * N) * std::numeric_limits<Real<T>>::epsilon());
    const auto vanishes = [&](const T& pivot, const T& diagonal)
                              POLHODE_LAMBDA { return !(abs(pivot) > round_off * abs(diagonal)); };
    const T one(Real<T>(1));
    Mask<T> singular(false);
    for (int k = 0; k < K; ++k) singular = singular | vanishes(one / a_[k][k], a[k][k]);
    if constexpr (K < N) singular = singular | vanishes(a_[K][K], a[K][K]);
    if constexpr (K < N - 1) singular = singular | vanishes(one / inverse_, a_[K][K] * a[N - 1][N - 1]);
    return singular;
  }

 private:
  /// Inverse of a pivot; NaN for an infinite one, because its inverse 0 would pass for a solution.
  POLHODE_HD static T inverse_of(const T& pivot) { return T(Real<T>(1)) / pivot + (pivot - pivot); }

  /// Number of unknowns that are eliminated.
  static constexpr int K = std::is_same_v<Real<T>, float> ? N : N > 1 ? N - 2 : 0;

  Mat<T, N, N> a_;  ///< first K rows and columns: L, inverse pivots on the diagonal, U; then the Schur complement
  T inverse_;       ///< inverse determinant of the Schur complement
};

}  // namespace polhode::inline POLHODE_ISA
