// Fixed-size vectors over a scalar, and the algebra of so(3). Products are fused in a fixed order.
//
// In performance-critical steps, local vectors with an initial value are not const: GCC 12 leaves a const aggregate of
// packs in memory, because it does not split read-only aggregates into registers.
#pragma once

#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

template <class T, int N>
struct Vec {
  T v[N];

  POLHODE_HD T& operator[](int i) { return v[i]; }
  POLHODE_HD const T& operator[](int i) const { return v[i]; }

  friend POLHODE_HD Vec operator+(Vec a, const Vec& b) {
    unroll<N>([&](int i) POLHODE_LAMBDA { a[i] = a[i] + b[i]; });
    return a;
  }
  friend POLHODE_HD Vec operator-(Vec a, const Vec& b) {
    unroll<N>([&](int i) POLHODE_LAMBDA { a[i] = a[i] - b[i]; });
    return a;
  }
  friend POLHODE_HD Vec operator-(Vec a) {
    unroll<N>([&](int i) POLHODE_LAMBDA { a[i] = -a[i]; });
    return a;
  }
  friend POLHODE_HD Vec operator*(const T& s, Vec a) {
    unroll<N>([&](int i) POLHODE_LAMBDA { a[i] = s * a[i]; });
    return a;
  }
  friend POLHODE_HD Vec select(const Mask<T>& m, const Vec& a, Vec b) {
    unroll<N>([&](int i) POLHODE_LAMBDA { b[i] = select(m, a[i], b[i]); });
    return b;
  }
};

/// Vector with the numbers of a in another scalar, in every lane.
template <class T, class S, int N>
POLHODE_HD Vec<T, N> broadcast(const Vec<S, N>& a) {
  Vec<T, N> b;
  unroll<N>([&](int i) POLHODE_LAMBDA { b[i] = T(a[i]); });
  return b;
}

/// s a + b, fused.
template <class T, int N>
POLHODE_HD Vec<T, N> fma(const T& s, const Vec<T, N>& a, Vec<T, N> b) {
  unroll<N>([&](int i) POLHODE_LAMBDA { b[i] = fma(s, a[i], b[i]); });
  return b;
}

/// Componentwise product.
template <class T, int N>
POLHODE_HD Vec<T, N> hadamard(const Vec<T, N>& a, Vec<T, N> b) {
  unroll<N>([&](int i) POLHODE_LAMBDA { b[i] = a[i] * b[i]; });
  return b;
}

/// a . b + c, summed from the first component on.
template <class T, int N>
POLHODE_HD T dot(const Vec<T, N>& a, const Vec<T, N>& b, T c) {
  unroll<N>([&](int i) POLHODE_LAMBDA { c = fma(a[i], b[i], c); });
  return c;
}
template <class T, int N>
POLHODE_HD T dot(const Vec<T, N>& a, const Vec<T, N>& b) {
  T c = a[0] * b[0];
  for (int i = 1; i < N; ++i) c = fma(a[i], b[i], c);
  return c;
}

/// a x b + c.
template <class T>
POLHODE_HD Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b, const Vec<T, 3>& c) {
  return {fma(a[1], b[2], fma(-a[2], b[1], c[0])), fma(a[2], b[0], fma(-a[0], b[2], c[1])),
          fma(a[0], b[1], fma(-a[1], b[0], c[2]))};
}
template <class T>
POLHODE_HD Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return {fma(a[1], b[2], -(a[2] * b[1])), fma(a[2], b[0], -(a[0] * b[2])), fma(a[0], b[1], -(a[1] * b[0]))};
}

}  // namespace polhode::inline POLHODE_ISA
