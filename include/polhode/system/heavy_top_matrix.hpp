// The heavy top as 3 x 3 matrices: the body of system/rigid_body_matrix.hpp in uniform gravity,
//
//   H(Q, P) = 1/2 tr(P D^-1 P^T) + c e3.Q chi,   0 = Q^T Q - 1
//
// (Hairer 2003, eq. (5.1)). Its reduced state is that of system/heavy_top.hpp.
#pragma once

#include "polhode/system/rigid_body_matrix.hpp"

namespace polhode::inline POLHODE_ISA {

struct HeavyTopMatrixPhysics : BodyMatrixPhysics {
  static constexpr const char* name = "heavy-top-matrix";
  static constexpr const char* meaning = "rigid body with a fixed point in uniform gravity, as 3x3 matrices";
  static constexpr const char* sources[] = {"Hairer2003"};
  static constexpr const char* equations[] = {
      "H = 1/2 tr(P D^-1 P^T) + c e3.Q chi,  D = diag(alpha),  I1 = alpha2 + alpha3 and cyclic",
      "0 = Q^T Q - 1",
  };
  static constexpr const auto& parameters = Top::parameters;

  static constexpr const auto& example_parameters = Top::example_parameters;
  /// Typical state, which rotates as fast as gravity makes it, given the smallest moment of inertia.
  static void example_state(const double* p, double* x) {
    double lightest = p[0];
    for (int i = 1; i < 3; ++i) lightest = p[i] < lightest ? p[i] : lightest;
    example_motion(p, p[6] == 0 ? 1 : polhode::sqrt(4 * polhode::abs(p[6]) / lightest), x);
  }

  template <class T>
  struct Equations : BodyMatrixPhysics::Equations<T> {
    Vec<T, 3> weight;  ///< c chi

    /// p[7]: I1 I2 I3, chi1 chi2 chi3, c.
    POLHODE_HD explicit Equations(const double* p) : BodyMatrixPhysics::Equations<T>(p) {
      const T c(static_cast<Real<T>>(p[6]));
      unroll<3>([&](int i) POLHODE_LAMBDA { weight[i] = c * T(static_cast<Real<T>>(p[3 + i])); });
    }

    POLHODE_HD T potential(const Vec<T, N>& q) const {
      return fma(weight[0], q[6], fma(weight[1], q[7], weight[2] * q[8]));
    }
    POLHODE_HD Vec<T, N> potential_gradient(const Vec<T, N>&) const {
      Vec<T, N> gradient;
      unroll<N>([&](int k) POLHODE_LAMBDA { gradient[k] = k < 6 ? T(Real<T>(0)) : weight[k % 3]; });
      return gradient;
    }

    static constexpr ConservedRow<Equations, T, N> conserved[1] = {
        {{"momentum_z", "mass length^2/time",
          "spatial angular momentum along gravity, Pi.Gamma; conserved to round-off"},
         &Equations::template momentum<2>},
    };
  };
};

using HeavyTopMatrix = ConstrainedSystem<HeavyTopMatrixPhysics>;

}  // namespace polhode::inline POLHODE_ISA
