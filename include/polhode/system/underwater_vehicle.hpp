// A body in an ideal fluid (system/vehicle.hpp) by its attitude and position, q = (R, x) in R^12 with R row by row, on
// R^T R = 1:
//
//   L = 1/2 tr(R' d R'^T) + 1/2 <R', R hat(D R^T x')> + 1/2 x'.R M R^T x' - c e3.R chi
//
// with <A, B> = tr(A^T B) and d = diag(d1, d2, d3), J1 = d2 + d3 and cyclic. Off the constraints R is neither
// normalised nor replaced by its inverse transpose. The mass matrix has the blocks d_j, which is diagonal, and R M R^T;
// with the momenta (P_R, p_x) its Schur complement gives
//
//   H = 1/2 tr(P_R d^-1 P_R^T) + 1/2 y.K^-1 y + c e3.R chi
//   y = R^-1 p_x - 1/2 D^T w,   w = vee(R^T P_R d^-1 - d^-1 P_R^T R),   K = M - 1/4 D^T A D
//
// where A z = vee(S hat(z) d^-1 + d^-1 hat(z) S), S = R^T R. With u = K^-1 y and z = D u
//
//   R' = (P_R - 1/2 R hat(z)) d^-1,   x' = R^-T u,   H_R = 1/2 R' hat(z) - x' (R^-1 p_x)^T + c e3 chi^T
//
// On the constraints p_x = R P is the spatial linear
// momentum, and hat(Pi) = R^T P_R - P_R^T R.
#pragma once

#include "polhode/system/hamiltonian_system.hpp"
#include "polhode/system/rotation_matrix.hpp"
#include "polhode/system/vehicle.hpp"

namespace polhode::inline POLHODE_ISA {

struct UnderwaterVehiclePhysics {
  static constexpr const char* name = "underwater-vehicle";
  static constexpr const char* meaning =
      "rigid body in an ideal fluid, by its attitude as a 3x3 matrix and its position";
  static constexpr const char* sources[] = {"LeonardMarsden1997"};
  static constexpr int N = 12, D = 6;
  static constexpr bool spills_on_gpu = true;  ///< a step has more values than a GPU thread has registers
  static constexpr const char* equations[] = {
      "H = 1/2 Omega.J Omega + Omega.D v + 1/2 v.M v + c Gamma.chi,  Gamma = R^T e3",
      "Pi = J Omega + D v,  P = D^T Omega + M v,  R' = R hat(Omega),  x' = R v",
      "0 = R^T R - 1",
  };
  static constexpr const char* energy_unit = "mass length^2/time^2";
  static constexpr const char* constraint_unit = "1";
  static constexpr const auto& parameters = Vehicle::parameters;

  /// Problem of the parameters p[19], or null. Host only.
  static const char* invalid_reason(const double* p) {
    constexpr const char* problem[] = {"J1 must be below J2 + J3: the mass matrix of R would not be positive definite",
                                       "J2 must be below J3 + J1: the mass matrix of R would not be positive definite",
                                       "J3 must be below J1 + J2: the mass matrix of R would not be positive definite"};
    for (int i = 0; i < 3; ++i)
      if (!(Vehicle::second_moment(p, i) > 1e-14 * p[i])) return problem[i];
    // Leading minors of K on the constraints.
    const auto K = Equations<double>(p).complement({1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0});
    const bool is_definite =
        K[0][0] > 0 && K[0][0] * K[1][1] - K[0][1] * K[1][0] > 0 && dot(K[0], cross(K[1], K[2])) > 0;
    return is_definite ? nullptr
                       : "the mass matrix is not positive definite: coupling is too large for inertia and mass";
  }

  static constexpr auto columns = [] {
    std::array<Quantity, 2 * N> all{};
    constexpr auto of_attitude = matrix_columns<3>();
    constexpr const char* const places[] = {"x", "y", "z"};
    constexpr const char* const momenta[] = {"px", "py", "pz"};
    for (int k = 0; k < 9; ++k) {
      all[k] = of_attitude[k];
      all[N + k] = of_attitude[9 + k];
      all[N + k].meaning = "momentum conjugate to the rotation";
    }
    for (int i = 0; i < 3; ++i) {
      all[9 + i] = {places[i], "length", "position of the origin of the body"};
      all[N + 9 + i] = {momenta[i], "mass length/time", "linear momentum in space, R P"};
    }
    return all;
  }();

  static constexpr double example_parameters[] = {0.218, 0.357, 0.335, 1.234, 1.341, 2.253, 0, 0.03, 0, -0.03,
                                                  0,     0,     0,     0,     0,     0.3,   0, 0,    -1};
  static constexpr double example_step = 0.05;
  /// x[24]: a tilted body that turns and moves in all directions. Host only.
  static void example_state(const double* p, double* x) {
    motion(p, {0.8, 0.0, 0.6, 0.0, 1.0, 0.0, -0.6, 0.0, 0.8}, {0.9, 0.3, 0.35}, {0.1, -0.7, 0.05}, x);
  }
  /// x[24]: the state at the origin with an attitude, row by row, and rates in the body. Host only.
  static void motion(const double* p, const Vec<double, 9>& attitude, const Vec<double, 3>& omega,
                     const Vec<double, 3>& v, double* x) {
    Vec<double, 3> carried, impulse;  // D v, M v + D^T Omega
    for (int i = 0; i < 3; ++i) {
      const double* const row = p + Vehicle::coupling_at + 3 * i;
      carried[i] = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
      impulse[i] = p[Vehicle::mass_at + i] * v[i];
      for (int j = 0; j < 3; ++j) impulse[i] += p[Vehicle::coupling_at + 3 * j + i] * omega[j];
    }
    for (int i = 0; i < 3; ++i) {
      const Vec<double, 3> row{attitude[3 * i], attitude[3 * i + 1], attitude[3 * i + 2]};
      const Vec<double, 3> turning = cross(row, omega), along = cross(row, carried);  // rows of R hat(.)
      for (int j = 0; j < 3; ++j) {
        x[3 * i + j] = row[j];
        x[N + 3 * i + j] = turning[j] * Vehicle::second_moment(p, j) + 0.5 * along[j];
      }
      x[9 + i] = 0;
      x[N + 9 + i] = dot(row, impulse);
    }
  }

  template <class T>
  class Equations {
    using Three = Vec<T, 3>;
    using Rotation = Vec<T, 9>;

   public:
    /// p[19]: J, M, D row by row, c, chi.
    POLHODE_HD explicit Equations(const double* p) : of_rotation_(second_moments(p)), parameters_(p) {
      const auto at = [p](int i) POLHODE_LAMBDA { return T(static_cast<Real<T>>(p[i])); };
      unroll<3>([&](int i) POLHODE_LAMBDA {
        inverse_d_[i] = T(Real<T>(1)) / T(static_cast<Real<T>>(Vehicle::second_moment(p, i)));
        mass_[i] = at(Vehicle::mass_at + i);
        weight_[i] = at(Vehicle::weight_at) * at(Vehicle::chi_at + i);
        unroll<3>([&](int j) POLHODE_LAMBDA {
          half_coupling_[j][i] = T(Real<T>(0.5)) * at(Vehicle::coupling_at + 3 * i + j);
        });
      });
    }

    POLHODE_HD T hamiltonian(const Vec<T, N>& q, const Vec<T, N>& p) const {
      const Rotation R = rotation(q), P = rotation(p);
      T twice(Real<T>(0));
      unroll<9>([&](int k) POLHODE_LAMBDA { twice = fma(inverse_d_[k % 3] * P[k], P[k], twice); });
      const Three y = remaining(R, P, in_body(R, p));
      twice = dot(y, solved(complement(R), y), twice);
      return fma(T(Real<T>(0.5)), twice, dot(weight_, row(R, 2)));
    }
    /// H_p.
    POLHODE_HD Vec<T, N> velocity(const Vec<T, N>& q, const Vec<T, N>& p) const { return rates(q, p).velocity; }
    /// H_q.
    POLHODE_HD Vec<T, N> position_gradient(const Vec<T, N>& q, const Vec<T, N>& p) const {
      const Rates of = rates(q, p);
      const Three x{of.velocity[9], of.velocity[10], of.velocity[11]};
      Vec<T, N> gradient;
      unroll<3>([&](int i) POLHODE_LAMBDA {
        const Three turning = cross(row(of.velocity, i), of.half_carried, -x[i] * of.momentum);
        unroll<3>([&](int j) POLHODE_LAMBDA { gradient[3 * i + j] = i == 2 ? turning[j] + weight_[j] : turning[j]; });
        gradient[9 + i] = T(Real<T>(0));
      });
      return gradient;
    }
    /// H_pp v, where H is quadratic in p.
    POLHODE_HD Vec<T, N> inverse_mass(const Vec<T, N>& q, const Vec<T, N>&, const Vec<T, N>& v) const {
      return velocity(q, v);
    }

    POLHODE_HD Vec<T, D> constraints(const Vec<T, N>& q) const { return of_rotation_.constraints(rotation(q)); }
    POLHODE_HD Vec<T, D> push(const Vec<T, N>& q, const Vec<T, N>& v) const {
      return of_rotation_.push(rotation(q), rotation(v));
    }
    POLHODE_HD Vec<T, N> pull(const Vec<T, N>& q, const Vec<T, D>& s) const {
      const Rotation force = of_rotation_.pull(rotation(q), s);
      Vec<T, N> all;
      unroll<N>([&](int k) POLHODE_LAMBDA { all[k] = k < 9 ? force[k % 9] : T(Real<T>(0)); });
      return all;
    }
    POLHODE_HD Mat<T, D, D> gram(const Vec<T, N>& q) const { return of_rotation_.gram(rotation(q)); }

    /// K of the head comment, for the rotation R.
    POLHODE_HD Mat<T, 3, 3> complement(const Rotation& R) const {
      Mat<T, 3, 3> A;
      unroll<3>([&](int k) POLHODE_LAMBDA {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        A[k][k] = fma(inverse_d_[i], columns_product(R, j, R, j), inverse_d_[j] * columns_product(R, i, R, i));
        A[i][j] = A[j][i] = -(inverse_d_[k] * columns_product(R, i, R, j));
      });
      Mat<T, 3, 3> K;
      unroll<3>([&](int i) POLHODE_LAMBDA {
        const Three carried{dot(A[0], half_coupling_[i]), dot(A[1], half_coupling_[i]), dot(A[2], half_coupling_[i])};
        unroll<3>([&](int j) POLHODE_LAMBDA {
          const T part = dot(carried, half_coupling_[j]);
          K[i][j] = i == j ? mass_[i] - part : -part;
        });
      });
      return K;
    }

    template <int axis>
    POLHODE_HD T pi(const Vec<T, N>& q, const Vec<T, N>& p) const {
      return of_rotation_.in_body((axis + 2) % 3, (axis + 1) % 3, rotation(q), rotation(p));
    }
    template <int axis>
    POLHODE_HD T impulse(const Vec<T, N>& q, const Vec<T, N>& p) const {
      return fma(q[axis], p[9], fma(q[3 + axis], p[10], q[6 + axis] * p[11]));
    }
    template <int axis>
    POLHODE_HD T gamma(const Vec<T, N>& q, const Vec<T, N>&) const {
      return q[6 + axis];
    }
    template <int axis>
    POLHODE_HD T momentum(const Vec<T, N>&, const Vec<T, N>& p) const {
      return p[9 + axis];
    }
    template <int axis>
    POLHODE_HD T angular_momentum(const Vec<T, N>& q, const Vec<T, N>& p) const {
      constexpr int i = (axis + 1) % 3, j = (axis + 2) % 3;
      return fma(q[9 + i], p[9 + j], fma(-q[9 + j], p[9 + i], of_rotation_.in_space(j, i, rotation(q), rotation(p))));
    }
    POLHODE_HD T clebsch(const Vec<T, N>& q, const Vec<T, N>& p) const {
      return Vehicle::clebsch<T>(parameters_, {pi<0>(q, p), pi<1>(q, p), pi<2>(q, p)},
                                 {impulse<0>(q, p), impulse<1>(q, p), impulse<2>(q, p)});
    }
    POLHODE_HD T momentum_size(const Vec<T, N>&, const Vec<T, N>& p) const { return sqrt(dot(p, p)); }
    POLHODE_HD T one(const Vec<T, N>&, const Vec<T, N>&) const { return T(Real<T>(1)); }

    static constexpr DerivedRow<Equations, T, N> derived[9] = {
        {Vehicle::body_momenta[0], &Equations::template pi<0>, &Equations::momentum_size},
        {Vehicle::body_momenta[1], &Equations::template pi<1>, &Equations::momentum_size},
        {Vehicle::body_momenta[2], &Equations::template pi<2>, &Equations::momentum_size},
        {Vehicle::impulses[0], &Equations::template impulse<0>, &Equations::momentum_size},
        {Vehicle::impulses[1], &Equations::template impulse<1>, &Equations::momentum_size},
        {Vehicle::impulses[2], &Equations::template impulse<2>, &Equations::momentum_size},
        {{"gamma1", "1", "vertical in the body frame, axis 1"}, &Equations::template gamma<0>, &Equations::one},
        {{"gamma2", "1", "vertical in the body frame, axis 2"}, &Equations::template gamma<1>, &Equations::one},
        {{"gamma3", "1", "vertical in the body frame, axis 3"}, &Equations::template gamma<2>, &Equations::one},
    };
    static constexpr ConservedRow<Equations, T, N> conserved[8] = {
        {{"momentum_x", "mass length/time", "linear momentum in space; conserved to round-off"},
         &Equations::template momentum<0>},
        {{"momentum_y", "mass length/time", "linear momentum in space; conserved to round-off"},
         &Equations::template momentum<1>},
        {{"momentum_z", "mass length/time", "linear momentum in space; conserved to round-off"},
         &Equations::template momentum<2>},
        {{"angular_momentum_x", "mass length^2/time",
          "R Pi + x x R P, of a neutral body (c = 0); conserved to round-off"},
         &Equations::template angular_momentum<0>,
         Vehicle::is_neutral},
        {{"angular_momentum_y", "mass length^2/time",
          "R Pi + x x R P, of a neutral body (c = 0); conserved to round-off"},
         &Equations::template angular_momentum<1>,
         Vehicle::is_neutral},
        {{"angular_momentum_z", "mass length^2/time", "R Pi + x x R P; conserved to round-off"},
         &Equations::template angular_momentum<2>},
        {Vehicle::pi3_of_axis, &Equations::template pi<2>, Vehicle::has_axis},
        {Vehicle::clebsch_integral, &Equations::clebsch, Vehicle::is_clebsch},
    };

   private:
    struct Rates {
      Vec<T, N> velocity;  ///< R' = (P_R - 1/2 R hat(D u)) d^-1 and x' = R^-T u, where u = K^-1 y
      Three half_carried;  ///< D u / 2
      Three momentum;      ///< R^-1 p_x
    };
    POLHODE_HD Rates rates(const Vec<T, N>& q, const Vec<T, N>& p) const {
      const Rotation R = rotation(q), P = rotation(p);
      Rates of;
      of.momentum = in_body(R, p);
      const Three u = solved(complement(R), remaining(R, P, of.momentum));
      const Three x = solved({column(R, 0), column(R, 1), column(R, 2)}, u);
      unroll<3>([&](int i) POLHODE_LAMBDA {
        of.half_carried[i] =
            fma(half_coupling_[0][i], u[0], fma(half_coupling_[1][i], u[1], half_coupling_[2][i] * u[2]));
      });
      unroll<3>([&](int i) POLHODE_LAMBDA {
        const Three turning = cross(of.half_carried, row(R, i), row(P, i));
        unroll<3>([&](int j) POLHODE_LAMBDA { of.velocity[3 * i + j] = inverse_d_[j] * turning[j]; });
        of.velocity[9 + i] = x[i];
      });
      return of;
    }
    /// R^-1 p_x.
    POLHODE_HD static Three in_body(const Rotation& R, const Vec<T, N>& p) {
      return solved({row(R, 0), row(R, 1), row(R, 2)}, {p[9], p[10], p[11]});
    }
    /// y of the head comment; momentum: R^-1 p_x.
    POLHODE_HD Three remaining(const Rotation& R, const Rotation& P, const Three& momentum) const {
      Three w, y;
      unroll<3>([&](int k) POLHODE_LAMBDA {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        w[k] = fma(inverse_d_[i], columns_product(R, j, P, i), -(inverse_d_[j] * columns_product(R, i, P, j)));
      });
      unroll<3>([&](int i) POLHODE_LAMBDA { y[i] = momentum[i] - dot(half_coupling_[i], w); });
      return y;
    }
    POLHODE_HD static Three second_moments(const double* p) {
      Three d;
      unroll<3>([&](int i) POLHODE_LAMBDA { d[i] = T(static_cast<Real<T>>(Vehicle::second_moment(p, i))); });
      return d;
    }
    POLHODE_HD static Rotation rotation(const Vec<T, N>& q) {
      Rotation R;
      unroll<9>([&](int k) POLHODE_LAMBDA { R[k] = q[k]; });
      return R;
    }
    template <int n>
    POLHODE_HD static Three row(const Vec<T, n>& R, int i) {
      return {R[3 * i], R[3 * i + 1], R[3 * i + 2]};
    }
    POLHODE_HD static Three column(const Rotation& R, int j) { return {R[j], R[3 + j], R[6 + j]}; }
    /// Column i of A . column j of B.
    POLHODE_HD static T columns_product(const Rotation& A, int i, const Rotation& B, int j) {
      return fma(A[i], B[j], fma(A[3 + i], B[3 + j], A[6 + i] * B[6 + j]));
    }
    /// a^-1 b, by Cramer's rule: the leading minors of a rotation may be 0.
    POLHODE_HD static Three solved(const Mat<T, 3, 3>& a, const Three& b) {
      const Three first = cross(a[1], a[2]), second = cross(a[2], a[0]), third = cross(a[0], a[1]);
      return (T(Real<T>(1)) / dot(a[0], first)) * fma(b[0], first, fma(b[1], second, b[2] * third));
    }

    RotationMatrices<3, T> of_rotation_;
    const double* parameters_;
    Three inverse_d_, mass_, weight_;
    Mat<T, 3, 3> half_coupling_;  ///< D^T / 2: row i is half of column i of D
  };
};

using UnderwaterVehicle = HamiltonianSystem<UnderwaterVehiclePhysics>;

}  // namespace polhode::inline POLHODE_ISA
