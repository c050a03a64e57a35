// A system whose constraints are not always independent: two points in a plane and three rods of unit length, from the
// origin to the first, between them, and from the second to (1, 0).
//
//   q = (q1, q2), unit masses, no forces;   g = (|q1|^2 - 1, |q2 - q1|^2 - 1, |q2 - (1, 0)|^2 - 1) / 2
//
// It moves as a parallelogram, q2 = q1 + (1, 0), or as an antiparallelogram. Where all points are in line, q1 = (1, 0)
// and q2 = (2, 0), the two meet: Dg_2 = Dg_3 - Dg_1.
#pragma once

#include "polhode/system/constrained_system.hpp"

namespace polhode::inline POLHODE_ISA {

struct LinkagePhysics {
  static constexpr const char* name = "linkage";
  static constexpr const char* meaning = "two points and three rods";
  static constexpr int N = 4, D = 3;
  static constexpr std::array<Parameter, 0> parameters{};
  static constexpr std::array<double, 0> example_parameters{};
  static constexpr std::array<Quantity, 2 * N> columns{{{"q1x", "1", ""},
                                                        {"q1y", "1", ""},
                                                        {"q2x", "1", ""},
                                                        {"q2y", "1", ""},
                                                        {"p1x", "1", ""},
                                                        {"p1y", "1", ""},
                                                        {"p2x", "1", ""},
                                                        {"p2y", "1", ""}}};
  static constexpr double example_step = 0.05;
  /// The parallelogram at a right angle, at unit speed.
  static void example_state(const double* /*p*/, double* x) {
    constexpr double state[2 * N] = {0, 1, 1, 1, -1, 0, -1, 0};
    for (int i = 0; i < 2 * N; ++i) x[i] = state[i];
  }

  template <class T>
  struct Equations {
    POLHODE_HD explicit Equations(const double* /*p*/) {}
    POLHODE_HD Vec<T, N> velocity(const Vec<T, N>& p) const { return p; }
    POLHODE_HD T potential(const Vec<T, N>& /*q*/) const { return T(Real<T>(0)); }
    POLHODE_HD Vec<T, D> constraints(const Vec<T, N>& q) const {
      const T one(Real<T>(1));
      return {excess(q[0], q[1]), excess(q[2] - q[0], q[3] - q[1]), excess(q[2] - one, q[3])};
    }
    POLHODE_HD Vec<T, D> push(const Vec<T, N>& q, const Vec<T, N>& v) const {
      return {q[0] * v[0] + q[1] * v[1], (q[2] - q[0]) * (v[2] - v[0]) + (q[3] - q[1]) * (v[3] - v[1]),
              (q[2] - T(Real<T>(1))) * v[2] + q[3] * v[3]};
    }
    POLHODE_HD Vec<T, N> pull(const Vec<T, N>& q, const Vec<T, D>& s) const {
      const T x = s[1] * (q[2] - q[0]), y = s[1] * (q[3] - q[1]);
      return {s[0] * q[0] - x, s[0] * q[1] - y, s[2] * (q[2] - T(Real<T>(1))) + x, s[2] * q[3] + y};
    }

   private:
    POLHODE_HD static T excess(const T& x, const T& y) {
      const T half(Real<T>(0.5));
      return half * (x * x) + (half * (y * y) - half);
    }
  };
};

using Linkage = ConstrainedSystem<LinkagePhysics>;

}  // namespace polhode::inline POLHODE_ISA
