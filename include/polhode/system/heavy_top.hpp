// The heavy top in body coordinates (system/top.hpp): a rigid body with one fixed point, in uniform gravity.
//
//   state   Pi     body angular momentum,   Gamma = Q^T e3  the upward vertical seen from the body
//
// A Lie-Poisson system on se(3)* with Casimirs |Gamma|^2 and Pi.Gamma.
#pragma once

#include "polhode/system/top.hpp"
#include "polhode/system/top_chart.hpp"

namespace polhode::inline POLHODE_ISA {

struct HeavyTop : Top {
  static constexpr const char* name = "heavy-top";
  static constexpr const char* meaning = "rigid body with a fixed point in uniform gravity";
  static constexpr const char* sources[] = {"McLachlanScovel1995"};
  static constexpr const char* equations[] = {
      "H = 1/2 sum_i Pi_i^2/I_i + c Gamma.chi",
      "Pi' = Pi x Omega + c Gamma x chi,  Gamma' = Gamma x Omega,  Omega_i = Pi_i/I_i",
  };

  static constexpr int dim = 6;
  static constexpr Block layout[] = {{0, 3, Block::Form::momentum}, {3, 3, Block::Form::unit_vector}};
  template <class T>
  using State = Vec<T, dim>;

  static constexpr Quantity columns[] = {
      {"pi1", "mass length^2/time", "body angular momentum, axis 1"},
      {"pi2", "mass length^2/time", "body angular momentum, axis 2"},
      {"pi3", "mass length^2/time", "body angular momentum, axis 3"},
      {"gamma1", "1", "vertical in the body frame, axis 1"},
      {"gamma2", "1", "vertical in the body frame, axis 2"},
      {"gamma3", "1", "vertical in the body frame, axis 3"},
  };

  /// x[6]: a state in an island of MS Figure 1, near the section. Host only.
  static void example_state(const double* /*p*/, double* x) {
    constexpr double state[dim] = {0.6, 0.5, -0.64, 0.8, 0.6, 0};
    for (int i = 0; i < dim; ++i) x[i] = state[i];
  }

  /// Problem of a state x[6] as an initial condition, or null. p[7]: as for Model.
  static const char* invalid_state_reason(const double* /*p*/, const double* x) {
    const double norm_squared = x[3] * x[3] + x[4] * x[4] + x[5] * x[5];
    return norm_squared > 1 - 2 * unit_tolerance && norm_squared < 1 + 2 * unit_tolerance
               ? nullptr
               : "gamma is off length 1 by more than a hundredth";
  }

  /// Section of MS Figure 1, for any chi, energy and momentum = Pi.Gamma; on the host only.
  static constexpr Chart chart = top_chart;
  static ChartRange chart_range(const double* p, double energy) { return top_chart_range(p, energy); }
  /// x[max_chart_points][6]: the states over (m13, m12) on a side, in the order of chart.branches; returns their
  /// number.
  static int chart_states(const double* p, double energy, double momentum, int side, double m13, double m12,
                          double* x) {
    TopPoint points[max_chart_points];
    const int count = top_chart_points(p, energy, momentum, side, m13, m12, points);
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < 3; ++i) {
        x[k * dim + i] = points[k].pi[i];
        x[k * dim + 3 + i] = points[k].gamma[i];
      }
    return count;
  }

  template <class T>
  POLHODE_HD static Vec<T, 3> angular_momentum(const State<T>& x) {
    return {x[0], x[1], x[2]};
  }
  template <class T>
  POLHODE_HD static Vec<T, 3> vertical(const State<T>& x) {
    return {x[3], x[4], x[5]};
  }
  /// The state after x, from the Pi and Gamma of a step and the rotation that led to this Gamma.
  template <class T, class Rotation>
  POLHODE_HD static State<T> moved(const State<T>&, const Vec<T, 3>& pi, const Vec<T, 3>& gamma, const Rotation&) {
    return {pi[0], pi[1], pi[2], gamma[0], gamma[1], gamma[2]};
  }

  template <class T>
  POLHODE_HD static T vertical_size(const State<T>& x) {
    return abs(x[3]) + abs(x[4]) + abs(x[5]);
  }

  /// The equations for given parameters, in scalar type T.
  template <class T>
  struct Model : BodyOf<HeavyTop, State<T>, T> {
    using Base = BodyOf<HeavyTop, State<T>, T>;
    using Base::Base;
    using Function = T (Model::*)(const State<T>& x) const;

    POLHODE_HD T gamma_squared(const State<T>& x) const { return dot(vertical(x), vertical(x)); }
    /// The equations of motion.
    POLHODE_HD State<T> flow(const State<T>& x) const {
      const Vec<T, 3> pi = angular_momentum(x), gamma = vertical(x);
      return moved(x, this->torque(pi, gamma), cross(gamma, this->omega(pi)), nullptr);
    }

    static constexpr ObservableRow<Function> derived[5] = {
        {{"energy", "mass length^2/time^2", "H"}, &Model::energy, &Model::energy_size},
        {{"height", "1", "Gamma.chi, height of the centre of mass over its distance from the pivot"},
         &Model::height,
         &Model::vertical_size},
        {matrix_momenta[0], &Model::m12, &Model::momentum_size},
        {matrix_momenta[1], &Model::m13, &Model::momentum_size},
        {matrix_momenta[2], &Model::m23, &Model::momentum_size},
    };
    static constexpr InvariantRow<Function> invariants[7] = {
        {{"energy", "mass length^2/time^2", "H; conserved up to O(h^2) without drift"}, &Model::energy},
        {{"gamma_squared", "1", "|Gamma|^2, Casimir"}, &Model::gamma_squared},
        {{"pi_dot_gamma", "mass length^2/time", "Pi.Gamma, Casimir: angular momentum about the vertical"},
         &Model::pi_dot_gamma},
        {{"pi_squared", "mass^2 length^4/time^2", "|Pi|^2, of the free body (c = 0)"}, &Model::pi_squared, is_free},
        {{"pi3", "mass length^2/time", "of the Lagrange top (I1 = I2, chi = +-e3)"}, &Model::pi3, is_lagrange},
        {{"kowalevski", "1/time^4", "Kowalevski's integral (I1 = I2 = 2 I3, chi3 = 0)"},
         &Model::kowalevski,
         is_kowalevski},
        {{"goryachev_chaplygin", "mass^3 length^6/time^3",
          "Chaplygin's integral (I1 = I2 = 4 I3, chi3 = 0), where Pi.Gamma = 0"},
         &Model::goryachev_chaplygin,
         is_goryachev_chaplygin<HeavyTop>},
    };

    POLHODE_HD T invariant(int i, const State<T>& x) const { return value_of<invariants>(i, *this, x); }
    POLHODE_HD T observe(int index, const State<T>& x) const {
      if (index < dim) return choose<0, dim>(index, [&](auto k) POLHODE_LAMBDA { return x[k]; });
      return value_of<derived>(index - dim, *this, x);
    }
    /// Magnitude of the terms of an observable, to which its round-off is proportional.
    POLHODE_HD T magnitude(int index, const State<T>& x) const {
      if (index < 3) return abs(x[0]) + abs(x[1]) + abs(x[2]);
      if (index < dim) return this->vertical_size(x);
      return magnitude_of<derived>(index - dim, *this, x);
    }
  };

  /// State columns, then derived observables; sections and conditions may use any of them.
  static constexpr auto observables = observables_of(columns, Model<double>::derived);
  static constexpr auto invariants = invariants_of(Model<double>::invariants);
  static constexpr int n_invariants = std::size(invariants);
  /// Whether entry i of `invariants` is conserved on the orbit of x[6], for parameters p[7].
  static bool conserves(const double* p, const double* x, int i) { return holds(Model<double>::invariants[i], p, x); }
};

}  // namespace polhode::inline POLHODE_ISA
