// A spherical pendulum whose mass depends on its height, charged, in a uniform vertical magnetic field: an example of a
// Hamiltonian that is not a kinetic energy with constant mass plus a potential.
//
//   H = |p - a(q)|^2 / (2 (1 + k z)) + g z,   a(q) = b (-y, x, 0),   g_1 = (|q|^2 - l^2) / 2
//
// b is half the field. The angular momentum about the vertical, k.(q x p), is conserved, as rotations about it rotate
// a(q).
#pragma once

#include "polhode/system/bodies.hpp"
#include "polhode/system/hamiltonian_system.hpp"

namespace polhode::inline POLHODE_ISA {

struct MagneticPendulumPhysics {
  static constexpr const char* name = "magnetic-pendulum";
  static constexpr const char* meaning = "spherical pendulum with a mass that grows with height, in a magnetic field";
  static constexpr int N = 3, D = 1;
  static constexpr const char* equations[] = {
      "H = |p1 - a|^2/(2 (1 + k q1z)) + g q1z,  a = b (-q1y, q1x, 0)",
      "0 = (|q1|^2 - l^2)/2",
  };
  static constexpr const char* energy_unit = "mass length^2/time^2";
  static constexpr const char* constraint_unit = "length^2";

  static constexpr double defaults[] = {1, 1, 0.3, 0.4};
  static constexpr Parameter parameters[] = {
      {"l", "length", 1, defaults, Bound::positive, "length of the rod"},
      {"g", "mass length/time^2", 1, defaults + 1, Bound::finite, "weight, along -z"},
      {"k", "mass/length", 1, defaults + 2, Bound::finite, "growth of the mass, which is 1 at height 0"},
      {"b", "mass/time", 1, defaults + 3, Bound::finite, "half the charge times the field"},
  };
  /// p: values of `parameters`.
  static const char* invalid_reason(const double* p) {
    const double mass_change = p[0] * (p[2] < 0 ? -p[2] : p[2]);
    return mass_change < 1 ? nullptr : "the mass 1 + k z must be positive for all heights: |k| l must be below 1";
  }

  static constexpr auto columns =
      body_columns<1>("position of the bob", "conjugate momentum, mass times velocity plus a(q)");

  static constexpr double example_parameters[] = {1, 1, 0.3, 0.4};
  static constexpr double example_step = 0.02;
  static void example_state(const double* p, double* x) {
    const double l = p[0], k = p[2], b = p[3];
    const double q[3] = {0.6 * l, 0, -0.8 * l}, speed = polhode::sqrt((p[1] < 0 ? -p[1] : p[1]) * l);
    const double velocity[3] = {0.2 * speed, 0.7 * speed, 0.15 * speed}, mass = 1 + k * q[2];
    const double field[3] = {-b * q[1], b * q[0], 0};
    for (int i = 0; i < 3; ++i) {
      x[i] = q[i];
      x[3 + i] = mass * velocity[i] + field[i];
    }
  }

  template <class T>
  struct Equations {
    T half_length_squared, weight, growth, field;

    /// p: l, g, k, b.
    POLHODE_HD explicit Equations(const double* p)
        : half_length_squared(static_cast<Real<T>>(0.5 * p[0] * p[0])),
          weight(static_cast<Real<T>>(p[1])),
          growth(static_cast<Real<T>>(p[2])),
          field(static_cast<Real<T>>(p[3])) {}

    POLHODE_HD T hamiltonian(const Vec<T, 3>& q, const Vec<T, 3>& p) const {
      const Vec<T, 3> kinetic{fma(field, q[1], p[0]), fma(-field, q[0], p[1]), p[2]};
      const T mass = fma(growth, q[2], T(Real<T>(1)));
      return fma(weight, q[2], T(Real<T>(0.5)) * dot(kinetic, kinetic) / mass);
    }
    POLHODE_HD Vec<T, 1> constraints(const Vec<T, 3>& q) const {
      return {fma(T(Real<T>(0.5)), dot(q, q), -half_length_squared)};
    }
    POLHODE_HD Vec<T, 1> push(const Vec<T, 3>& q, const Vec<T, 3>& v) const { return {dot(q, v)}; }
    POLHODE_HD Vec<T, 3> pull(const Vec<T, 3>& q, const Vec<T, 1>& s) const { return s[0] * q; }

    /// J_z.
    POLHODE_HD T angular_momentum(const Vec<T, 3>& q, const Vec<T, 3>& p) const {
      return fma(q[0], p[1], -(q[1] * p[0]));
    }

    static constexpr ConservedRow<Equations, T, 3> conserved[1] = {
        {{"angular_momentum_z", "mass length^2/time", "J_z, about the vertical; conserved to round-off"},
         &Equations::angular_momentum},
    };
  };
};

using MagneticPendulum = HamiltonianSystem<MagneticPendulumPhysics>;

}  // namespace polhode::inline POLHODE_ISA
