// The free rigid body on SO(n) as n x n matrices (system/rotation_matrix.hpp), before its reduction to
// system/rigid_body_n.hpp:
//
//   H(Q, P) = 1/2 tr(P D^-1 P^T),   0 = Q^T Q - 1,   D = diag(alpha);   m = Q^T P - P^T Q
//
// for which RATTLE is the discrete Moser-Veselov map (McLachlan & Scovel 1995, Theorem 6).
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
  static constexpr const char* sources[] = {"McLachlanScovel1995"};
  static constexpr const char* equations[] = {
      "H = 1/2 tr(P D^-1 P^T),  D = diag(alpha),  m = Q^T P - P^T Q",
      "0 = Q^T Q - 1",
  };
  static constexpr const char* energy_unit = "mass length^2/time^2";
  static constexpr const char* constraint_unit = "1";
  static constexpr int N = n * n, D = upper_size<n>;

  static constexpr auto columns = matrix_columns<n>();
  static constexpr const char* names_in_space[] = {"l12", "l13", "l14", "l23", "l24", "l34"};

  /// Problem of p[n], or null. Host only.
  static const char* invalid_reason(const double* p) {
    for (int i = 0; i < n; ++i)
      if (p[i] == 0) return "an alpha is 0: its matrices have no inverse mass";
    return RigidBodyN<n>::invalid_reason(p);
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
    /// Element `index` above the diagonal of the angular momentum in the body, and of that in space.
    template <int index>
    POLHODE_HD T body_momentum(const Vec<T, N>& q, const Vec<T, N>& p) const {
      constexpr int i = above_row<n>(index), j = above_column<n>(index);
      return this->in_body(i, j, q, p);
    }
    template <int index>
    POLHODE_HD T space_momentum(const Vec<T, N>& q, const Vec<T, N>& p) const {
      constexpr int i = above_row<n>(index), j = above_column<n>(index);
      return this->in_space(i, j, q, p);
    }
    POLHODE_HD T momentum_size(const Vec<T, N>&, const Vec<T, N>& p) const { return sqrt(dot(p, p)); }

    static constexpr auto derived = []<int... i>(std::integer_sequence<int, i...>) {
      return std::array<DerivedRow<Equations, T, N>, sizeof...(i)>{{
          {antisymmetric_columns<n>()[i], &Equations::template body_momentum<i>, &Equations::momentum_size}...,
      }};
    }
    (std::make_integer_sequence<int, above_size<n>>{});
    static constexpr auto conserved = []<int... i>(std::integer_sequence<int, i...>) {
      return std::array<ConservedRow<Equations, T, N>, sizeof...(i)>{{
          {{names_in_space[i], "mass length^2/time", "spatial angular momentum Q m Q^T; conserved to round-off"},
           &Equations::template space_momentum<i>}...,
      }};
    }
    (std::make_integer_sequence<int, above_size<n>>{});

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
