// The rigid body with a fixed point in uniform gravity, with its attitude (system/top.hpp).
//
//   state   Pi   body angular momentum
//           q    attitude quaternion (w, x, y, z): the unit quaternion of the rotation Q from body to space
//   flow    Pi' = Pi x Omega + c Gamma x chi,   q' = 1/2 q (0, Omega),   Gamma = Q^T e3
//
// Symplectic, on T*SO(3). The spatial momentum Q Pi is conserved along gravity, and in all directions if c = 0.
#pragma once

#include "polhode/math/quaternion.hpp"
#include "polhode/system/top.hpp"
#include "polhode/system/top_chart.hpp"

namespace polhode::inline POLHODE_ISA {

struct RigidBody : Top {
  static constexpr const char* name = "rigid-body";
  static constexpr const char* meaning = "rigid body with a fixed point in uniform gravity, with its attitude";
  static constexpr const char* sources[] = {"Hairer2003"};
  static constexpr const char* equations[] = {
      "H = 1/2 sum_i Pi_i^2/I_i + c Gamma.chi,  Gamma = Q^T e3 with the rotation Q of q",
      "Pi' = Pi x Omega + c Gamma x chi,  q' = 1/2 q (0, Omega),  Omega_i = Pi_i/I_i",
  };

  static constexpr int dim = 7;
  static constexpr Block layout[] = {{0, 3, Block::Form::momentum}, {3, 4, Block::Form::quaternion}};
  template <class T>
  using State = Vec<T, dim>;

  static constexpr Quantity columns[] = {
      {"pi1", "mass length^2/time", "body angular momentum, axis 1"},
      {"pi2", "mass length^2/time", "body angular momentum, axis 2"},
      {"pi3", "mass length^2/time", "body angular momentum, axis 3"},
      {"qw", "1", "attitude quaternion, body to space"},
      {"qx", "1", "attitude quaternion, body to space"},
      {"qy", "1", "attitude quaternion, body to space"},
      {"qz", "1", "attitude quaternion, body to space"},
  };

  /// x[7]: an oblique attitude. Host only.
  static void example_state(const double* /*p*/, double* x) {
    constexpr double state[dim] = {0.6, 0.5, -0.64, 0.8, 0.4, -0.4, 0.2};
    for (int i = 0; i < dim; ++i) x[i] = state[i];
  }

  /// Problem of a state x[7] as an initial condition, or null. p[7]: as for Model.
  static const char* invalid_state_reason(const double* /*p*/, const double* x) {
    const double norm_squared = x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6];
    return norm_squared > 1 - 2 * unit_tolerance && norm_squared < 1 + 2 * unit_tolerance
               ? nullptr
               : "(qw, qx, qy, qz) is off length 1 by more than a hundredth";
  }

  /// Section of MS Figure 1, for any chi, energy and momentum = Pi.Gamma; on the host only.
  static constexpr Chart chart = top_chart;
  static ChartRange chart_range(const double* p, double energy) { return top_chart_range(p, energy); }
  /// x[max_chart_points][7]: the states over (m13, m12) on a side, in the order of chart.branches; returns their
  /// number. The attitude is the smallest rotation with Gamma = Q^T e3.
  static int chart_states(const double* p, double energy, double momentum, int side, double m13, double m12,
                          double* x) {
    TopPoint points[max_chart_points];
    const int count = top_chart_points(p, energy, momentum, side, m13, m12, points);
    for (int k = 0; k < count; ++k) {
      const double* gamma = points[k].gamma;
      const double w = sqrt((1 + gamma[2]) / 2);  // Gamma3 = 0: far from a half turn
      const double attitude[4] = {w, gamma[1] / (2 * w), -gamma[0] / (2 * w), 0};
      for (int i = 0; i < 3; ++i) x[k * dim + i] = points[k].pi[i];
      for (int i = 0; i < 4; ++i) x[k * dim + 3 + i] = attitude[i];
    }
    return count;
  }

  template <class T>
  POLHODE_HD static Vec<T, 3> angular_momentum(const State<T>& x) {
    return {x[0], x[1], x[2]};
  }
  template <class T>
  POLHODE_HD static Vec<T, 4> attitude(const State<T>& x) {
    return {x[3], x[4], x[5], x[6]};
  }
  template <class T>
  POLHODE_HD static Vec<T, 3> vertical(const State<T>& x) {
    return space_axis(attitude(x), 2);
  }
  /// The state after x, from the Pi and the rotation w of a step: the attitude becomes Q w^T.
  template <class T, class Rotation>
  POLHODE_HD static State<T> moved(const State<T>& x, const Vec<T, 3>& pi, const Vec<T, 3>& /*gamma*/,
                                   const Rotation& rotation) {
    const Vec<T, 4> q = rotation.undone(attitude(x));
    return {pi[0], pi[1], pi[2], q[0], q[1], q[2], q[3]};
  }

  template <class T>
  POLHODE_HD static T vertical_size(const State<T>& x) {
    return dot(attitude(x), attitude(x));
  }

  /// The equations for given parameters, in scalar type T.
  template <class T>
  struct Model : BodyOf<RigidBody, State<T>, T> {
    using Base = BodyOf<RigidBody, State<T>, T>;
    using Base::Base;
    using Function = T (Model::*)(const State<T>& x) const;

    template <int axis>
    POLHODE_HD T gamma(const State<T>& x) const {
      return vertical(x)[axis];
    }
    /// The equations of motion.
    POLHODE_HD State<T> flow(const State<T>& x) const {
      const Vec<T, 3> pi = angular_momentum(x), rate = this->torque(pi, vertical(x)), omega = this->omega(pi);
      const Vec<T, 4> q =
          T(Real<T>(0.5)) * quaternion_product(attitude(x), {T(Real<T>(0)), omega[0], omega[1], omega[2]});
      return {rate[0], rate[1], rate[2], q[0], q[1], q[2], q[3]};
    }
    POLHODE_HD T q_squared(const State<T>& x) const { return dot(attitude(x), attitude(x)); }
    /// Component across gravity; that along gravity is pi_dot_gamma.
    template <int axis>
    POLHODE_HD T momentum(const State<T>& x) const {
      return dot(angular_momentum(x), space_axis(attitude(x), axis));
    }

    static constexpr ObservableRow<Function> derived[8] = {
        {{"gamma1", "1", "vertical in the body frame, axis 1"}, &Model::template gamma<0>, &Model::vertical_size},
        {{"gamma2", "1", "vertical in the body frame, axis 2"}, &Model::template gamma<1>, &Model::vertical_size},
        {{"gamma3", "1", "vertical in the body frame, axis 3"}, &Model::template gamma<2>, &Model::vertical_size},
        {{"energy", "mass length^2/time^2", "H"}, &Model::energy, &Model::energy_size},
        {{"height", "1", "Gamma.chi, height of the centre of mass over its distance from the pivot"},
         &Model::height,
         &Model::vertical_size},
        {matrix_momenta[0], &Model::m12, &Model::momentum_size},
        {matrix_momenta[1], &Model::m13, &Model::momentum_size},
        {matrix_momenta[2], &Model::m23, &Model::momentum_size},
    };
    static constexpr InvariantRow<Function> invariants[8] = {
        {{"energy", "mass length^2/time^2", "H; conserved up to O(h^2) without drift"}, &Model::energy},
        {{"q_squared", "1", "|q|^2"}, &Model::q_squared},
        {{"momentum_z", "mass length^2/time", "spatial angular momentum along gravity, Pi.Gamma"},
         &Model::pi_dot_gamma},
        {{"momentum_x", "mass length^2/time", "spatial angular momentum across gravity, of the free body (c = 0)"},
         &Model::template momentum<0>,
         is_free},
        {{"momentum_y", "mass length^2/time", "spatial angular momentum across gravity, of the free body (c = 0)"},
         &Model::template momentum<1>,
         is_free},
        {{"pi3", "mass length^2/time", "of the Lagrange top (I1 = I2, chi = +-e3)"}, &Model::pi3, is_lagrange},
        {{"kowalevski", "1/time^4", "Kowalevski's integral (I1 = I2 = 2 I3, chi3 = 0)"},
         &Model::kowalevski,
         is_kowalevski},
        {{"goryachev_chaplygin", "mass^3 length^6/time^3",
          "Chaplygin's integral (I1 = I2 = 4 I3, chi3 = 0), where momentum_z = 0"},
         &Model::goryachev_chaplygin,
         is_goryachev_chaplygin<RigidBody>},
    };

    POLHODE_HD T invariant(int i, const State<T>& x) const { return value_of<invariants>(i, *this, x); }
    POLHODE_HD T observe(int index, const State<T>& x) const {
      if (index < dim) return choose<0, dim>(index, [&](auto k) POLHODE_LAMBDA { return x[k]; });
      return value_of<derived>(index - dim, *this, x);
    }
    /// Magnitude of the terms of an observable, to which its round-off is proportional.
    POLHODE_HD T magnitude(int index, const State<T>& x) const {
      if (index < 3) return abs(x[0]) + abs(x[1]) + abs(x[2]);
      if (index < dim) return abs(x[3]) + abs(x[4]) + abs(x[5]) + abs(x[6]);
      return magnitude_of<derived>(index - dim, *this, x);
    }
  };

  /// State columns, then derived observables; sections and conditions may use any of them.
  static constexpr auto observables = observables_of(columns, Model<double>::derived);
  static constexpr auto invariants = invariants_of(Model<double>::invariants);
  static constexpr int n_invariants = std::size(invariants);
  /// Whether entry i of `invariants` is conserved on the orbit of x[7], for parameters p[7].
  static bool conserves(const double* p, const double* x, int i) { return holds(Model<double>::invariants[i], p, x); }
};

}  // namespace polhode::inline POLHODE_ISA
