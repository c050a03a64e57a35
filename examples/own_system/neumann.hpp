// Neumann's problem: a particle on a sphere under a force that is linear in its position.
//
//   H   1/2 |p|^2 + 1/2 sum_i a_i q_i^2,   g = (|q|^2 - 1) / 2        (mass and radius 1)
//
// It is integrable (C. Neumann 1859): K. Uhlenbeck's functions are conserved, where the a_i differ,
//
//   F_i = q_i^2 + sum_(j != i) (q_i p_j - q_j p_i)^2 / (a_i - a_j),   sum_i F_i = 1,   H = 1/2 sum_i a_i F_i
//
// (J. Moser, Geometry of quadrics and spectral theory, 1980, sect. 4.)
#pragma once

#include "polhode/system/constrained_system.hpp"

namespace polhode::inline POLHODE_ISA {

struct NeumannPhysics {
  static constexpr const char* name = "neumann";
  static constexpr const char* meaning = "particle on a sphere under a linear force (Neumann's problem)";
  static constexpr int N = 3, D = 1;

  static constexpr Parameter parameters[] = {
      {"a", "1/time^2", 3, nullptr, Bound::finite, "strengths of the force along the axes"},
  };
  static constexpr std::array<Quantity, 6> columns{{
      {"x", "radius", "position"},
      {"y", "radius", "position"},
      {"z", "radius", "position"},
      {"px", "radius/time", "momentum"},
      {"py", "radius/time", "momentum"},
      {"pz", "radius/time", "momentum"},
  }};
  /// F_i divides by differences of the a_i.
  static bool are_different(const double* a, const double* /*x*/) {
    return a[0] != a[1] && a[1] != a[2] && a[2] != a[0];
  }

  static constexpr double example_parameters[] = {1.0, 2.0, 3.5};
  static constexpr double example_step = 0.05;
  static void example_state(const double*, double* x) {
    const double state[] = {0.6, 0.0, 0.8, 0.4, 1.0, -0.3};
    for (int i = 0; i < 6; ++i) x[i] = state[i];
  }

  template <class T>
  struct Equations {
    Vec<T, 3> a;

    POLHODE_HD explicit Equations(const double* p) {
      unroll<3>([&](int i) POLHODE_LAMBDA { a[i] = number(p[i]); });
    }

    POLHODE_HD Vec<T, 3> velocity(const Vec<T, 3>& p) const { return p; }
    POLHODE_HD T potential(const Vec<T, 3>& q) const { return number(0.5) * dot(q, hadamard(a, q)); }
    POLHODE_HD Vec<T, 1> constraints(const Vec<T, 3>& q) const { return {number(0.5) * (dot(q, q) - number(1))}; }

    // A first version needs no derivatives: dual numbers take them. One that is written is one that costs less.
    POLHODE_HD Vec<T, 3> potential_gradient(const Vec<T, 3>& q) const { return hadamard(a, q); }

    /// F_1 and F_2.
    POLHODE_HD T uhlenbeck_1(const Vec<T, 3>& q, const Vec<T, 3>& p) const {
      const Vec<T, 3> l = cross(q, p);
      return q[0] * q[0] + l[2] * l[2] / (a[0] - a[1]) + l[1] * l[1] / (a[0] - a[2]);
    }
    POLHODE_HD T uhlenbeck_2(const Vec<T, 3>& q, const Vec<T, 3>& p) const {
      const Vec<T, 3> l = cross(q, p);
      return q[1] * q[1] - l[2] * l[2] / (a[0] - a[1]) + l[0] * l[0] / (a[1] - a[2]);
    }

    /// Names, units, meanings; what computes them; and when they are conserved.
    static constexpr ConservedRow<Equations, T, N> conserved[2] = {
        {{"uhlenbeck_1", "1", "F_1; a second-order method conserves it to O(h^2)"}, &Equations::uhlenbeck_1, are_different},
        {{"uhlenbeck_2", "1", "F_2; a second-order method conserves it to O(h^2)"}, &Equations::uhlenbeck_2, are_different},
    };

   private:
    POLHODE_HD static T number(double x) { return T(static_cast<Real<T>>(x)); }
  };
};

using NeumannSystem = ConstrainedSystem<NeumannPhysics>;

}  // namespace polhode::inline POLHODE_ISA

POLHODE_SYSTEM(NeumannSystem)
