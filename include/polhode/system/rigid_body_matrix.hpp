// The free rigid body with a fixed point as 3 x 3 matrices (system/rotation_matrix.hpp; Hairer 2003, eq. (5.1)).
//
//   H(Q, P) = 1/2 tr(P D^-1 P^T),   0 = Q^T Q - 1,   D = diag(alpha),   I1 = alpha2 + alpha3 and cyclic
//
// On the constraints P = Q hat(Omega) D, and the reduced state of system/top.hpp is
//
//   Gamma = Q^T e3,   hat(Pi) = Q^T P - P^T Q
//
// for which RATTLE is the discrete Moser-Veselov map (McLachlan & Scovel 1995, Theorem 6).
#pragma once

#include "polhode/math/quaternion.hpp"
#include "polhode/system/constrained_system.hpp"
#include "polhode/system/heavy_top.hpp"
#include "polhode/system/rotation_matrix.hpp"

namespace polhode::inline POLHODE_ISA {

/// Common part of the free body and the heavy top.
struct BodyMatrixPhysics {
  static constexpr int N = 9, D = 6;
  static constexpr bool spills_on_gpu = true;  ///< a step has more values than a GPU thread has registers
  static constexpr const char* energy_unit = "mass length^2/time^2";
  static constexpr const char* constraint_unit = "1";
  static constexpr auto columns = matrix_columns<3>();
  static constexpr const auto& alternatives = Top::alternatives;
  static constexpr double example_step = Top::example_step;

  /// alpha_i from the principal moments p[3].
  template <class R>
  POLHODE_HD static R alpha(const R* p, int i) {
    return R(0.5) * (p[(i + 1) % 3] + p[(i + 2) % 3] - p[i]);
  }

  /// Problem of the principal moments p[3], or null. An alpha within round-off of decimal input counts as 0. Host only.
  static const char* invalid_reason(const double* p) {
    constexpr const char* problem[] = {"alpha1 = 0, a flat body, I1 = I2 + I3: its matrices have no inverse mass",
                                       "alpha2 = 0, a flat body, I2 = I3 + I1: its matrices have no inverse mass",
                                       "alpha3 = 0, a flat body, I3 = I1 + I2: its matrices have no inverse mass"};
    for (int i = 0; i < 3; ++i)
      if (!(polhode::abs(alpha(p, i)) > 1e-14 * p[i])) return problem[i];
    return nullptr;
  }

  static const char* warning(const double* p) { return Top::warning(p); }

  /// x[18]: the state with a given attitude and the rates omega in the body. p[3]: principal moments. Host only.
  static void motion(const double* p, const Vec<double, 4>& attitude, const Vec<double, 3>& omega, double* x) {
    for (int i = 0; i < 3; ++i) {
      const Vec<double, 3> row = space_axis(attitude, i), momentum = cross(row, omega);  // of Q, and of Q hat(omega)
      for (int j = 0; j < 3; ++j) {
        x[3 * i + j] = row[j];
        x[N + 3 * i + j] = momentum[j] * alpha(p, j);
      }
    }
  }
  /// x[18]: an oblique attitude, rotating at a given rate. Host only.
  static void example_motion(const double* p, double rate, double* x) {
    motion(p, {0.8, 0.4, -0.4, 0.2}, {0.4 * rate, 0.4 * rate, -0.7 * rate}, x);
  }

  template <class T>
  struct Equations : RotationMatrices<3, T> {
    /// p[3]: principal moments.
    POLHODE_HD explicit Equations(const double* p)
        : RotationMatrices<3, T>({T(static_cast<Real<T>>(alpha(p, 0))), T(static_cast<Real<T>>(alpha(p, 1))),
                                  T(static_cast<Real<T>>(alpha(p, 2)))}) {}

    template <int axis>
    POLHODE_HD T pi(const Vec<T, N>& q, const Vec<T, N>& p) const {
      return this->in_body((axis + 2) % 3, (axis + 1) % 3, q, p);
    }
    template <int i, int j>
    POLHODE_HD T m(const Vec<T, N>& q, const Vec<T, N>& p) const {
      return this->in_body(i, j, q, p);
    }
    template <int axis>
    POLHODE_HD T gamma(const Vec<T, N>& q, const Vec<T, N>&) const {
      return q[6 + axis];
    }
    template <int axis>
    POLHODE_HD T momentum(const Vec<T, N>& q, const Vec<T, N>& p) const {
      return this->in_space((axis + 2) % 3, (axis + 1) % 3, q, p);
    }
    POLHODE_HD T momentum_size(const Vec<T, N>&, const Vec<T, N>& p) const { return sqrt(dot(p, p)); }
    POLHODE_HD T one(const Vec<T, N>&, const Vec<T, N>&) const { return T(Real<T>(1)); }

    static constexpr DerivedRow<Equations, T, N> derived[9] = {
        {HeavyTop::columns[0], &Equations::template pi<0>, &Equations::momentum_size},
        {HeavyTop::columns[1], &Equations::template pi<1>, &Equations::momentum_size},
        {HeavyTop::columns[2], &Equations::template pi<2>, &Equations::momentum_size},
        {HeavyTop::columns[3], &Equations::template gamma<0>, &Equations::one},
        {HeavyTop::columns[4], &Equations::template gamma<1>, &Equations::one},
        {HeavyTop::columns[5], &Equations::template gamma<2>, &Equations::one},
        {Top::matrix_momenta[0], &Equations::template m<0, 1>, &Equations::momentum_size},
        {Top::matrix_momenta[1], &Equations::template m<0, 2>, &Equations::momentum_size},
        {Top::matrix_momenta[2], &Equations::template m<1, 2>, &Equations::momentum_size},
    };
  };
};

struct RigidBodyMatrixPhysics : BodyMatrixPhysics {
  static constexpr const char* name = "rigid-body-matrix";
  static constexpr const char* meaning = "free rigid body with a fixed point as 3x3 matrices";
  static constexpr const char* sources[] = {"Hairer2003"};
  static constexpr const char* equations[] = {
      "H = 1/2 tr(P D^-1 P^T),  D = diag(alpha),  I1 = alpha2 + alpha3 and cyclic",
      "0 = Q^T Q - 1",
  };
  static constexpr Parameter parameters[] = {Top::parameters[0]};

  static constexpr double example_parameters[] = {Top::example_parameters[0], Top::example_parameters[1],
                                                  Top::example_parameters[2]};
  static void example_state(const double* p, double* x) { example_motion(p, 1, x); }

  template <class T>
  struct Equations : BodyMatrixPhysics::Equations<T> {
    using Base = BodyMatrixPhysics::Equations<T>;
    using Base::Base;

    POLHODE_HD T potential(const Vec<T, N>&) const { return T(Real<T>(0)); }
    POLHODE_HD Vec<T, N> potential_gradient(const Vec<T, N>&) const {
      Vec<T, N> gradient;
      unroll<N>([&](int k) POLHODE_LAMBDA { gradient[k] = T(Real<T>(0)); });
      return gradient;
    }
    POLHODE_HD T pi_squared(const Vec<T, N>& q, const Vec<T, N>& p) const {
      const Vec<T, 3> pi{Base::template pi<0>(q, p), Base::template pi<1>(q, p), Base::template pi<2>(q, p)};
      return dot(pi, pi);
    }

    static constexpr ConservedRow<Equations, T, N> conserved[4] = {
        {{"momentum_x", "mass length^2/time", "spatial angular momentum; conserved to round-off"},
         &Equations::template momentum<0>},
        {{"momentum_y", "mass length^2/time", "spatial angular momentum; conserved to round-off"},
         &Equations::template momentum<1>},
        {{"momentum_z", "mass length^2/time", "spatial angular momentum; conserved to round-off"},
         &Equations::template momentum<2>},
        {{"pi_squared", "mass^2 length^4/time^2", "|Pi|^2; conserved to round-off"}, &Equations::pi_squared},
    };
  };
};

using RigidBodyMatrix = ConstrainedSystem<RigidBodyMatrixPhysics>;

}  // namespace polhode::inline POLHODE_ISA
