// Rotations as n x n matrices Q (body to space) with their conjugate momenta P: the kinetic and the constrained part of
// a rigid body before reduction.
//
//   T(P) = 1/2 tr(P D^-1 P^T),   D = diag(alpha),   g(Q): on the diagonal 1/2 (Q^T Q - 1), above it Q^T Q
//
// (Hairer 2003, eq. (5.1), for n = 3). Q and P are stored row by row. With q_i for column i of Q,
//
//   W P = P D^-1,   (G V)_ii = q_i.v_i,  (G V)_ij = q_i.v_j + q_j.v_i,   G^T s = Q S,  S symmetric with S_ij = s_ij
//
// so that the entries of G(R) W G(Q)^T are products r_i.q_j divided by some alpha: near Q = R it is nearly diagonal.
#pragma once

#include <array>

#include "polhode/math/lu.hpp"
#include "polhode/math/triangle.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

// (At namespace scope, because nvcc reports constants of a host function as unused variables.)
inline constexpr const char* position_entries[4][4] = {{"q11", "q12", "q13", "q14"},
                                                       {"q21", "q22", "q23", "q24"},
                                                       {"q31", "q32", "q33", "q34"},
                                                       {"q41", "q42", "q43", "q44"}};
inline constexpr const char* momentum_entries[4][4] = {{"p11", "p12", "p13", "p14"},
                                                       {"p21", "p22", "p23", "p24"},
                                                       {"p31", "p32", "p33", "p34"},
                                                       {"p41", "p42", "p43", "p44"}};

/// The columns q11 q12 ... p11 ... of a state.
template <int n>
constexpr std::array<Quantity, 2 * n * n> matrix_columns() {
  static_assert(n <= 4);
  std::array<Quantity, 2 * n * n> columns{};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      columns[n * i + j] = {position_entries[i][j], "1", "rotation, body to space"};
      columns[n * n + n * i + j] = {momentum_entries[i][j], "mass length^2/time", "conjugate momentum, Q' D"};
    }
  return columns;
}

/// Base of the Equations<T> of such a body.
template <int n, class T>
class RotationMatrices {
 public:
  static constexpr int N = n * n, D = upper_size<n>;

  /// No alpha may be 0.
  POLHODE_HD explicit RotationMatrices(const Vec<T, n>& alpha) {
    unroll<n>([&](int i) POLHODE_LAMBDA { inverse_alpha_[i] = T(Real<T>(1)) / alpha[i]; });
  }

  POLHODE_HD Vec<T, N> velocity(const Vec<T, N>& p) const {
    Vec<T, N> v;
    unroll<N>([&](int k) POLHODE_LAMBDA { v[k] = inverse_alpha_[k % n] * p[k]; });
    return v;
  }

  POLHODE_HD Vec<T, D> constraints(const Vec<T, N>& q) const {
    Vec<T, D> g;
    for_upper<n>([&](int i, int j) POLHODE_LAMBDA {
      g[upper<n>(i, j)] =
          i < j ? product(i, q, j, q, T(Real<T>(0))) : T(Real<T>(0.5)) * product(i, q, i, q, T(Real<T>(-1)));
    });
    return g;
  }
  POLHODE_HD Vec<T, D> push(const Vec<T, N>& q, const Vec<T, N>& v) const {
    Vec<T, D> rate;
    for_upper<n>([&](int i, int j) POLHODE_LAMBDA {
      const T half = product(i, q, j, v, T(Real<T>(0)));
      rate[upper<n>(i, j)] = i < j ? product(j, q, i, v, half) : half;
    });
    return rate;
  }
  POLHODE_HD Vec<T, N> pull(const Vec<T, N>& q, const Vec<T, D>& s) const {
    Vec<T, N> force;
    unroll<n>([&](int row) POLHODE_LAMBDA {
      unroll<n>([&](int j) POLHODE_LAMBDA {
        T sum = q[n * row] * s[upper<n>(0, j)];
        unroll<n>([&](int i) POLHODE_LAMBDA {
          if (i > 0) sum = fma(q[n * row + i], s[upper<n>(i, j)], sum);
        });
        force[n * row + j] = sum;
      });
    });
    return force;
  }
  POLHODE_HD Mat<T, D, D> schur(const Vec<T, N>& r, const Vec<T, N>& q) const { return weighted(inverse_alpha_, r, q); }
  POLHODE_HD Mat<T, D, D> gram(const Vec<T, N>& q) const {
    Vec<T, n> ones;
    unroll<n>([&](int i) POLHODE_LAMBDA { ones[i] = T(Real<T>(1)); });
    return weighted(ones, q, q);
  }
  POLHODE_HD Vec<T, D> curvature(const Vec<T, N>&, const Vec<T, N>& v) const { return push(v, v); }

  /// Element ij of the angular momentum in space, P Q^T - Q P^T, and in the body, Q^T P - P^T Q.
  POLHODE_HD static T in_space(int i, int j, const Vec<T, N>& q, const Vec<T, N>& p) {
    T sum(Real<T>(0));
    unroll<n>([&](int k)
                  POLHODE_LAMBDA { sum = fma(p[n * i + k], q[n * j + k], fma(-q[n * i + k], p[n * j + k], sum)); });
    return sum;
  }
  POLHODE_HD static T in_body(int i, int j, const Vec<T, N>& q, const Vec<T, N>& p) {
    return product(i, q, j, p, -product(j, q, i, p, T(Real<T>(0))));
  }

 private:
  /// a_i . b_j + c.
  POLHODE_HD static T product(int i, const Vec<T, N>& a, int j, const Vec<T, N>& b, T c) {
    unroll<n>([&](int row) POLHODE_LAMBDA { c = fma(a[n * row + i], b[n * row + j], c); });
    return c;
  }

  /// G(r) w G(q)^T, where w multiplies column i by w_i.
  POLHODE_HD static Mat<T, D, D> weighted(const Vec<T, n>& w, const Vec<T, N>& r, const Vec<T, N>& q) {
    Mat<T, n, n> products;
    unroll<n>([&](int i) POLHODE_LAMBDA {
      unroll<n>([&](int j) POLHODE_LAMBDA { products[i][j] = product(i, r, j, q, T(Real<T>(0))); });
    });
    Mat<T, D, D> a;
    for_upper<n>([&](int k, int l) POLHODE_LAMBDA {
      // V = w G(q)^T e_kl has columns v_k = w_k q_l and v_l = w_l q_k.
      const auto along = [&](int i, int j, T sum) POLHODE_LAMBDA {  // r_i . v_j + sum
        if (j == k) sum = fma(w[k], products[i][l], sum);
        if (j == l && k != l) sum = fma(w[l], products[i][k], sum);
        return sum;
      };
      for_upper<n>([&](int i, int j) POLHODE_LAMBDA {
        const T half = along(i, j, T(Real<T>(0)));
        a[upper<n>(i, j)][upper<n>(k, l)] = i < j ? along(j, i, half) : half;
      });
    });
    return a;
  }

  Vec<T, n> inverse_alpha_;
};

}  // namespace polhode::inline POLHODE_ISA
