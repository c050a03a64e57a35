// A rotor in a field, which counts its turns, beside an oscillator:
//
//   H = (p1^2 + p2^2)/2 - k cos theta + x^2/2
//
// For k = 0 the rotor turns at the rate p1.
#pragma once

#include <array>

#include "polhode/scalar/elementary.hpp"
#include "polhode/system/mechanical_system.hpp"

namespace polhode::inline POLHODE_ISA {

struct RotorPhysics {
  static constexpr const char* name = "rotor";
  static constexpr const char* meaning = "a rotor beside an oscillator";
  static constexpr int N = 2, D = 0;
  static constexpr double default_k[] = {0.0};
  static constexpr Parameter parameters[] = {{"k", "1", 1, default_k, Bound::finite, "strength of the field"}};
  static constexpr std::array<Quantity, 2 * N> columns{
      {{"theta", "rad", "angle of the rotor", Angle::unbounded}, {"x", "1", ""}, {"p1", "1", ""}, {"p2", "1", ""}}};
  static constexpr double example_parameters[] = {1.0};
  static constexpr double example_step = 0.1;
  static void example_state(const double* /*p*/, double* x) {
    constexpr double state[2 * N] = {0.3, 0.5, 2.1, 0.2};
    for (int i = 0; i < 2 * N; ++i) x[i] = state[i];
  }

  template <class T>
  struct Equations {
    T k;
    POLHODE_HD explicit Equations(const double* p) : k(static_cast<Real<T>>(p[0])) {}

    POLHODE_HD const Vec<T, N>& velocity(const Vec<T, N>& p) const { return p; }
    POLHODE_HD T potential(const Vec<T, N>& q) const { return T(Real<T>(0.5)) * (q[1] * q[1]) - k * cos(q[0]); }
    POLHODE_HD Vec<T, N> potential_gradient(const Vec<T, N>& q) const { return {k * sin(q[0]), q[1]}; }
  };
};

using Rotor = MechanicalSystem<RotorPhysics>;

}  // namespace polhode::inline POLHODE_ISA
