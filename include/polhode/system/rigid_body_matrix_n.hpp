// The free rigid body on SO(n) as n x n matrices (system/rotation_matrix.hpp), before its reduction to
// system/rigid_body_n.hpp:
//
//   H(Q, P) = 1/2 tr(P D^-1 P^T),   0 = Q^T Q - 1,   D = diag(alpha);   m = Q^T P - P^T Q
//
// of which RATTLE makes the discrete Moser-Veselov map (McLachlan & Scovel 1995, Theorem 6).
#pragma once

#include "polhode/system/constrained_system.hpp"
#include "polhode/system/rigid_body_n.hpp"
#include "polhode/system/rotation_matrix.hpp"

namespace polhode::inline POLHODE_ISA {

template <int n>
struct RigidBodyMatrixNPhysics : FreeBodyN<n> {
  static_assert(n == 4, "a name for others");
  static constexpr const char* name = "rigid-body-matrix-4";
  static constexpr const char* meaning = "free rigid body on SO(4) as 4x4 matrices";
  static constexpr int N = n * n, D = upper_size<n>;

  static constexpr auto columns = matrix_columns<n>();
  static constexpr auto derived = antisymmetric_columns<n>();
  static constexpr auto conserved = [] {
    auto all = antisymmetric_columns<n>();
    constexpr const char* names[] = {"l12", "l13", "l14", "l23", "l24", "l34"};
    for (int i = 0; i < above_size<n>; ++i)
      all[i] = {names[i], "alpha/time", "spatial angular momentum Q m Q^T; kept to round-off"};
    return all;
  }();

  /// Why p[n] cannot be used, or null. Host only.
  static const char* problem_with_parameters(const double* p) {
    for (int i = 0; i < n; ++i)
      if (p[i] == 0) return "an alpha is 0: its matrices have no inverse mass";
    return RigidBodyN<n>::problem_with_parameters(p);
  }
  /// An attitude that mixes all axes, and P = Q omega D with the omega of m.
  static void example_state(const double* p, double* x) {
    constexpr double q[n][n] = {
        {0.5, -0.5, -0.5, -0.5}, {0.5, 0.5, -0.5, 0.5}, {0.5, 0.5, 0.5, -0.5}, {0.5, -0.5, 0.5, 0.5}};
    for (int row = 0; row < n; ++row)
      for (int j = 0; j < n; ++j) {
        double turning = 0;
        for (int i = 0; i < n; ++i) {
          if (i == j) continue;
          const double m = i < j ? FreeBodyN<n>::example_momentum(p, i, j) : -FreeBodyN<n>::example_momentum(p, j, i);
          turning += q[row][i] * m / (p[i] + p[j]);
        }
        x[n * row + j] = q[row][j];
        x[N + n * row + j] = turning * p[j];
      }
  }

  template <class T>
  struct Equations : RotationMatrices<n, T> {
    /// p[n]: alpha.
    POLHODE_HD explicit Equations(const double* p) : RotationMatrices<n, T>(to_vec(p)) {}

    POLHODE_HD T potential(const Vec<T, N>&) const { return T(Real<T>(0)); }
    POLHODE_HD Vec<T, N> potential_gradient(const Vec<T, N>&) const {
      Vec<T, N> gradient;
      unroll<N>([&](int k) POLHODE_LAMBDA { gradient[k] = T(Real<T>(0)); });
      return gradient;
    }
    POLHODE_HD T derived(int index, const Vec<T, N>& q, const Vec<T, N>& p) const {
      T value(Real<T>(0));
      for_above<n>([&](int i, int j) POLHODE_LAMBDA {
        if (above<n>(i, j) == index) value = this->in_body(i, j, q, p);
      });
      return value;
    }
    POLHODE_HD T magnitude(int, const Vec<T, N>&, const Vec<T, N>& p) const { return sqrt(dot(p, p)); }
    POLHODE_HD T conserved(int index, const Vec<T, N>& q, const Vec<T, N>& p) const {
      T value(Real<T>(0));
      for_above<n>([&](int i, int j) POLHODE_LAMBDA {
        if (above<n>(i, j) == index) value = this->in_space(i, j, q, p);
      });
      return value;
    }

   private:
    POLHODE_HD static Vec<T, n> to_vec(const double* p) {
      Vec<T, n> alpha;
      for (int i = 0; i < n; ++i) alpha[i] = T(static_cast<Real<T>>(p[i]));
      return alpha;
    }
  };
};

template <int n>
using RigidBodyMatrixN = ConstrainedSystem<RigidBodyMatrixNPhysics<n>>;

}  // namespace polhode::inline POLHODE_ISA
