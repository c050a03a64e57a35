// A cyclic coordinate of a user's own, with no more than has to be given: the spherical pendulum by the angle from the
// downward vertical, whose azimuth is cyclic. Mass, length and gravity 1.
#pragma once

#include "polhode/scalar/elementary.hpp"
#include "polhode/system/cyclic_system.hpp"
#include "polhode/system/routh_reduced.hpp"

namespace polhode::inline POLHODE_ISA {

struct OwnPendulumShape {
  static constexpr CyclicSystemName full{"own-pendulum", "pendulum"},
      reduced{"own-pendulum-reduced", "pendulum, reduced"};
  static constexpr int N = 1;
  static constexpr Quantity shape[] = {{"tilt", "rad", "angle from the downward vertical"}};
  static constexpr Quantity angle{"theta", "rad", "azimuth"};
  static constexpr Quantity momenta[] = {{"p_tilt", "1", "momentum of tilt"}, {"mu", "1", "angular momentum"}};
  static constexpr Quantity reduced_momenta[] = {momenta[0]};
  static constexpr double default_weight[] = {1};
  static constexpr Parameter parameters[] = {{"weight", "1", 1, default_weight, Bound::finite, "m g l"}};
  static constexpr double example_parameters[] = {1};
  static constexpr double example_momentum = 0.3;
  static constexpr double example_step = 0.1;
  static CyclicMotion<double, 1> example_motion(const double*) { return {{0.8}, {0.1}, 0, 0.5}; }

  template <class T>
  struct Equations {
    T weight;

    POLHODE_HD explicit Equations(const double* p) : weight(static_cast<Real<T>>(p[0])) {}
    POLHODE_HD CyclicMetric<T, 1> metric(const Vec<T, 1>& x) const {
      const SinCos<T> tilt = sine_and_cosine(x[0]);
      const T zero(Real<T>(0)), one(Real<T>(1));
      return {{{{one}}}, {zero}, tilt.sin * tilt.sin, -(weight * tilt.cos)};
    }
  };
};

using OwnPendulum = CyclicSystem<OwnPendulumShape>;
using OwnPendulumReduced = RouthReduced<OwnPendulumShape>;

}  // namespace polhode::inline POLHODE_ISA
