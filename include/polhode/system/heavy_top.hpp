// The heavy top in body coordinates: a rigid body with one fixed point, in uniform gravity.
//
//   state   Pi     body angular momentum,   Gamma = Q^T e3  the upward vertical seen from the body
//   energy  H = 1/2 sum_i Pi_i^2 / I_i + c Gamma.chi
//   flow    Pi' = Pi x Omega + c Gamma x chi,   Gamma' = Gamma x Omega,   Omega_i = Pi_i / I_i
//
// A Lie-Poisson system on se(3)* with Casimirs |Gamma|^2 and Pi.Gamma. c = 0 is the free rigid body, where |Pi|^2 is
// conserved too; alpha1 = alpha2 with chi = +-e3 is the Lagrange top, where Pi3 is.
//
// The inertia may be given by the principal moments I or by alpha, the diagonal of J in McLachlan & Scovel 1995,
// sect. 6: I1 = alpha2 + alpha3 and cyclic. In their matrix notation m12 = -Pi3, m13 = Pi2, m23 = -Pi1; v = Gamma.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/system/description.hpp"
#include "polhode/system/top_chart.hpp"

namespace polhode::inline POLHODE_ISA {

struct HeavyTop {
  static constexpr const char* name = "heavy-top";
  static constexpr const char* meaning = "rigid body with a fixed point in uniform gravity (MS sect. 6.2)";

  static constexpr int dim = 6;
  static constexpr int n_invariants = 3;
  static constexpr int n_parameters = 7;

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
  };

  static constexpr double default_chi[] = {0, 0, 1};
  static constexpr double default_c[] = {1};
  /// In the order of the flat array that Model reads.
  static constexpr Parameter parameters[] = {
      {"inertia", "I", 3, nullptr, Bound::positive, "principal moments about the fixed point (or give alpha)"},
      {"chi", "1", 3, default_chi, Bound::unit_vector, "from the fixed point to the centre of mass, body frame"},
      {"c", "energy", 1, default_c, Bound::finite, "mass x gravity x distance of the centre of mass"},
  };

  /// |Gamma| may differ from 1 by this much in given initial states; it then stays where it is.
  static constexpr double unit_tolerance = 1e-6;

  static void moments_of_alpha(const double* alpha, double* inertia) {
    for (int i = 0; i < 3; ++i) inertia[i] = alpha[(i + 1) % 3] + alpha[(i + 2) % 3];
  }
  static constexpr Alternative alternatives[] = {
      {"alpha", "inertia", "diagonal of J: I1 = alpha2 + alpha3 and cyclic", moments_of_alpha},
  };

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

  template <class T>
  using State = Vec<T, dim>;

  /// The equations for given parameters, in scalar type T.
  template <class T>
  struct Model {
    Vec<T, 3> inertia, inverse_inertia, chi;
    T c;

    /// p[7]: I1 I2 I3, chi1 chi2 chi3, c.
    POLHODE_HD explicit Model(const double* p) {
      for (int i = 0; i < 3; ++i) {
        inertia[i] = T(static_cast<Real<T>>(p[i]));
        inverse_inertia[i] = T(1) / inertia[i];
        chi[i] = T(static_cast<Real<T>>(p[3 + i]));
      }
      c = T(static_cast<Real<T>>(p[6]));
    }

    POLHODE_HD T potential(const Vec<T, 3>& gamma) const { return c * dot(gamma, chi); }

    POLHODE_HD T energy(const State<T>& x) const {
      const Vec<T, 3> pi{x[0], x[1], x[2]};
      return fma(T(0.5), dot(pi, hadamard(inverse_inertia, pi)), potential({x[3], x[4], x[5]}));
    }

    POLHODE_HD Vec<T, n_invariants> invariants(const State<T>& x) const {
      const Vec<T, 3> pi{x[0], x[1], x[2]}, gamma{x[3], x[4], x[5]};
      return {energy(x), dot(gamma, gamma), dot(pi, gamma)};
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
