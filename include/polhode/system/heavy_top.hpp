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
  static constexpr const char* meaning = "rigid body with a fixed point in uniform gravity (MS sect. 6.2)";

  static constexpr int dim = 6;
  static constexpr int n_invariants = 7;

  /// State columns first, then what is derived from them; a section or a condition may name any of these.
  static constexpr Quantity observables[] = {
      {"pi1", "c^1/2 I^1/2", "body angular momentum, axis 1"},
      {"pi2", "c^1/2 I^1/2", "body angular momentum, axis 2"},
      {"pi3", "c^1/2 I^1/2", "body angular momentum, axis 3"},
      {"gamma1", "1", "vertical in the body frame, axis 1"},
      {"gamma2", "1", "vertical in the body frame, axis 2"},
      {"gamma3", "1", "vertical in the body frame, axis 3"},
      {"energy", "c", "kinetic energy + c Gamma.chi"},
      {"height", "1", "Gamma.chi, height of the centre of mass over its distance from the pivot"},
  };
  static constexpr Quantity invariants[] = {
      {"energy", "c", "H; kept up to O(h^2) without drift"},
      {"gamma_squared", "1", "|Gamma|^2, Casimir"},
      {"pi_dot_gamma", "c^1/2 I^1/2", "Pi.Gamma, Casimir: angular momentum about the vertical"},
      {"pi_squared", "c I", "|Pi|^2, of the free body (c = 0)"},
      {"pi3", "c^1/2 I^1/2", "of the Lagrange top (I1 = I2, chi = +-e3)"},
      {"kowalevski", "c^2 I^-2", "Kowalevski's integral (I1 = I2 = 2 I3, chi3 = 0)"},
      {"goryachev_chaplygin", "c^3/2 I^3/2", "Chaplygin's integral (I1 = I2 = 4 I3, chi3 = 0), where Pi.Gamma = 0"},
  };
  /// Whether invariant i is one on the orbit of x[6], for parameters p[7].
  static bool conserves(const double* p, const double* x, int i) {
    switch (i) {
      case 3: return is_free(p);
      case 4: return is_lagrange(p);
      case 5: return is_kowalevski(p);
      case 6: return is_goryachev_chaplygin(p) && are_orthogonal({x[0], x[1], x[2]}, {x[3], x[4], x[5]});
      default: return true;
    }
  }

  /// x[6]: in an island of MS Figure 1, near its section. Host only.
  static void example_state(const double* /*p*/, double* x) {
    constexpr double state[dim] = {0.6, 0.5, -0.64, 0.8, 0.6, 0};
    for (int i = 0; i < dim; ++i) x[i] = state[i];
  }

  /// What is wrong with a state x[6] as an initial condition, or null. p[7] as Model reads it.
  static const char* problem_with_state(const double* /*p*/, const double* x) {
    const double norm_squared = x[3] * x[3] + x[4] * x[4] + x[5] * x[5];
    return norm_squared > 1 - 2 * unit_tolerance && norm_squared < 1 + 2 * unit_tolerance
               ? nullptr
               : "gamma is not a unit vector (to 1e-6)";
  }

  /// The section of MS Figure 1, for any chi, energy and momentum = Pi.Gamma; on the host only.
  static constexpr Chart chart = top_chart;
  static ChartRange chart_range(const double* p, double energy) { return top_chart_range(p, energy); }
  /// x[max_chart_points][6]: the states over (m13, m12) on a side, in the order of chart.branches; returns how many.
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

  static constexpr UnitVector unit_vector = {3, 3};  ///< Gamma
  template <class T>
  using State = Vec<T, dim>;

  template <class T>
  POLHODE_HD static Vec<T, 3> angular_momentum(const State<T>& x) {
    return {x[0], x[1], x[2]};
  }
  template <class T>
  POLHODE_HD static Vec<T, 3> vertical(const State<T>& x) {
    return {x[3], x[4], x[5]};
  }
  /// The state after x with the Pi and Gamma that a step has found together with the rotation that brought Gamma there.
  template <class T, class Rotation>
  POLHODE_HD static State<T> moved(const State<T>&, const Vec<T, 3>& pi, const Vec<T, 3>& gamma, const Rotation&) {
    return {pi[0], pi[1], pi[2], gamma[0], gamma[1], gamma[2]};
  }

  /// The equations for given parameters, in scalar type T.
  template <class T>
  struct Model : Body<T> {
    using Body<T>::Body, Body<T>::energy;
    using Body<T>::inertia, Body<T>::inverse_inertia, Body<T>::chi, Body<T>::c;

    POLHODE_HD T energy(const State<T>& x) const { return energy(angular_momentum(x), vertical(x)); }

    /// Entry i of HeavyTop::invariants. Vectors are named in each case: before the switch GCC would copy the state.
    POLHODE_HD T invariant(int i, const State<T>& x) const {
      switch (i) {
        case 0: return energy(x);
        case 1: return dot(vertical(x), vertical(x));
        case 2: return dot(angular_momentum(x), vertical(x));
        case 3: return dot(angular_momentum(x), angular_momentum(x));
        case 4: return x[2];
        case 5: return this->kowalevski(angular_momentum(x), vertical(x));
        default: return this->goryachev_chaplygin(angular_momentum(x), vertical(x));
      }
    }

    /// Size of the terms that an observable is made of: what its round-off is relative to.
    POLHODE_HD T magnitude(int index, const State<T>& x) const {
      const T pi = abs(x[0]) + abs(x[1]) + abs(x[2]), gamma = abs(x[3]) + abs(x[4]) + abs(x[5]);
      if (index < 3) return pi;
      if (index == 6) return abs(energy(x)) + abs(c) * gamma;
      return gamma;
    }

    /// Entry `index` of HeavyTop::observables.
    POLHODE_HD T observe(int index, const State<T>& x) const {
      switch (index) {
        case 0: return x[0];
        case 1: return x[1];
        case 2: return x[2];
        case 3: return x[3];
        case 4: return x[4];
        case 5: return x[5];
        case 6: return energy(x);
        default: return dot(Vec<T, 3>{x[3], x[4], x[5]}, chi);
      }
    }
  };
};

}  // namespace polhode::inline POLHODE_ISA
