// The system of Henon & Heiles, Astron. J. 69 (1964) 73, a star in the plane of a galaxy (Pierce 1994, sect. 2):
//
//   H = (p1^2 + p2^2)/2 + V(q),   V = (q1^2 + q2^2)/2 + q1^2 q2 - q2^3/3
//
// Orbits of energy below 1/6 about the origin are bounded; beyond the saddles, which have that energy, the potential
// decreases without bound. No bounded orbit reaches |q| = 10, where a trajectory leaves the domain: it has escaped.
#pragma once

#include <array>
#include <cmath>

#include "polhode/system/mechanical_system.hpp"

namespace polhode::inline POLHODE_ISA {

struct HenonHeilesPhysics {
  static constexpr const char* name = "henon-heiles";
  static constexpr const char* meaning =
      "Henon and Heiles: two oscillators with a cubic coupling, the more chaotic the higher the energy";
  static constexpr const char* sources[] = {"HenonHeiles1964"};
  static constexpr const char* equations[] = {"H = (p1^2 + p2^2)/2 + (q1^2 + q2^2)/2 + q1^2 q2 - q2^3/3"};
  static constexpr const char* energy_unit = "1";
  static constexpr const char* edge = "it escaped over a saddle, to |q| > 10";
  static constexpr bool open = true;
  static constexpr int N = 2, D = 0;
  static constexpr std::array<Quantity, 4> columns{
      {{"q1", "1", "position"}, {"q2", "1", "position"}, {"p1", "1", "momentum"}, {"p2", "1", "momentum"}}};
  static constexpr std::array<double, 0> example_parameters{};
  static constexpr double example_step = 0.1;
  /// A state of energy 0.049.
  static void example_state(const double*, double* x) {
    constexpr double state[] = {0.15, 0.1, 0.2, 0.15};
    for (int i = 0; i < 4; ++i) x[i] = state[i];
  }

  template <class T>
  struct Equations {
    POLHODE_HD explicit Equations(const double*) {}

    POLHODE_HD const Vec<T, 2>& velocity(const Vec<T, 2>& p) const { return p; }
    POLHODE_HD T potential(const Vec<T, 2>& q) const {
      const T half(Real<T>(0.5)), third = T(Real<T>(1)) / T(Real<T>(3));
      return fma(half, dot(q, q), q[1] * fma(q[0], q[0], -(third * (q[1] * q[1]))));
    }
    POLHODE_HD Vec<T, 2> potential_gradient(const Vec<T, 2>& q) const {
      return {fma(T(Real<T>(2)) * q[0], q[1], q[0]), fma(q[0], q[0], fma(-q[1], q[1], q[1]))};
    }
    POLHODE_HD Mask<T> is_inside(const Vec<T, 2>& q) const { return dot(q, q) <= T(Real<T>(100)); }
  };

  // Starts on the section: q2 and p2 are free, and the energy determines |p1|. Host only.
  static constexpr Chart chart = {
      "q1 = 0",
      "q1",
      {{"q2", "q2", 1}, {"p2", "p2", 1}},
      "p1",
      {{"p1+", "p1+2", "p1+3", "p1+4"}, {"p1-", "p1-2", "p1-3", "p1-4"}},
  };
  static ChartRange chart_range(const double*, double energy) {
    // On the line q1 = 0 the interval about the origin ends where V equals the energy, or at the saddle (0, 1).
    // V = q2^2/2 - q2^3/3 is larger at -q2 than at q2.
    double inside = 0, outside = saddle;
    while (potential_on_line(saddle) > energy && outside - inside > 1e-15)
      (potential_on_line((inside + outside) / 2) < energy ? inside : outside) = (inside + outside) / 2;
    return {{outside, std::sqrt(2 * std::fmax(energy, 0))}, 0, 0};
  }
  static int chart_states(const double*, double energy, double /*momentum*/, int side, double q2, double p2,
                          double* x) {
    const double p1_squared = 2 * (energy - potential_on_line(q2)) - p2 * p2;
    if (!(p1_squared > 0)) return 0;
    const double p1 = std::sqrt(p1_squared), state[] = {0, q2, side == 0 ? p1 : -p1, p2};
    for (int i = 0; i < 4; ++i) x[i] = state[i];
    return 1;
  }

 private:
  static constexpr double saddle = 1;
  static double potential_on_line(double q2) { return q2 * q2 * (0.5 - q2 / 3); }
};
using HenonHeiles = MechanicalSystem<HenonHeilesPhysics>;

}  // namespace polhode::inline POLHODE_ISA
