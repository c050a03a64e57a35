// A canonical system that is not separable.
#pragma once

#include <array>

#include "polhode/system/canonical_system.hpp"

namespace polhode::test {

/// A particle in a plane that turns at the rate omega, with a mass that depends on its position:
///   H = (1 + k |q|^2) |p|^2 / 2 - omega (q1 p2 - q2 p1) + |q|^2 / 2
struct CarouselPhysics {
  static constexpr const char* name = "carousel";
  static constexpr const char* meaning = "particle in a turning plane";
  static constexpr int N = 2, D = 0;
  static constexpr double defaults[] = {0.7, 0.3};
  static constexpr Parameter parameters[] = {
      {"omega", "1/time", 1, defaults, Bound::finite, "rate of the plane"},
      {"k", "1/length^2", 1, defaults + 1, Bound::finite, "growth of the inverse mass"},
  };
  static constexpr std::array<Quantity, 4> columns{
      {{"q1", "length", ""}, {"q2", "length", ""}, {"p1", "momentum", ""}, {"p2", "momentum", ""}}};
  static constexpr double example_parameters[] = {0.7, 0.3};
  static constexpr double example_step = 0.05;
  static void example_state(const double*, double* x) {
    constexpr double state[] = {0.6, -0.2, 0.3, 0.8};
    for (int i = 0; i < 4; ++i) x[i] = state[i];
  }
  static bool is_at_rest(const double* p, const double* /*x*/) { return p[0] == 0; }

  template <class T>
  struct Equations {
    T omega, k;

    explicit Equations(const double* p) : omega(static_cast<Real<T>>(p[0])), k(static_cast<Real<T>>(p[1])) {}
    T hamiltonian(const Vec<T, 2>& q, const Vec<T, 2>& p) const {
      const T half(Real<T>(0.5)), one(Real<T>(1));
      return half * (one + k * dot(q, q)) * dot(p, p) - omega * angular_momentum(q, p) + half * dot(q, q);
    }
    T angular_momentum(const Vec<T, 2>& q, const Vec<T, 2>& p) const { return q[0] * p[1] - q[1] * p[0]; }
    T distance_squared(const Vec<T, 2>& q, const Vec<T, 2>&) const { return dot(q, q); }

    static constexpr DerivedRow<Equations, T, 2> derived[1] = {
        {{"distance_squared", "length^2", ""}, &Equations::distance_squared}};
    static constexpr ConservedRow<Equations, T, 2> conserved[2] = {
        {{"angular_momentum", "length momentum", ""}, &Equations::angular_momentum},
        {{"of_the_plane_at_rest", "1", ""}, &Equations::angular_momentum, is_at_rest}};
  };
};
using Carousel = CanonicalSystem<CarouselPhysics>;

}  // namespace polhode::test
