// A cyclic coordinate of a user's own, with no more than has to be given: the spherical pendulum by the angle from the
// downward vertical, whose azimuth is cyclic; reduced and on all coordinates, against the constrained system.
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/routh.hpp"
#include "polhode/method/collocation.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::inline POLHODE_ISA {

/// Mass, length and gravity 1.
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

}  // namespace polhode::inline POLHODE_ISA

namespace polhode::test {
namespace {

using Vector = Eigen::VectorXd;

TEST(OwnCyclicCoordinate, IsReducedAndReconstructed) {
  const Shape<OwnPendulumShape> shape{{1, 0.3}};
  const double tilt = 0.8, rate = 0.1, theta = 0.2, turning = 0.3 / std::pow(std::sin(tilt), 2);
  const Vector start = Eigen::Vector3d(tilt, rate, theta);
  for (const Coefficients& method : {gauss(3), lobatto(4)}) {
    const Vector reduced = ReducedSteps<OwnPendulumShape>(method, 0.05, shape.parameters)(start, 100);
    const Vector full = FullSteps<OwnPendulumShape>(method, 0.05, shape.parameters)(shape.unreduced(start), 100);
    ReferenceSteps<OwnPendulumShape> reference(method, 0.05, shape.parameters);
    EXPECT_LT(largest(shape.reduced(full) - reduced), 1e-13);
    EXPECT_LT(largest(reference(start, 100) - reduced), 1e-13);
  }
  const auto in_space = [](double tilt, double rate, double theta, double turning) {
    const double c = std::cos(theta), s = std::sin(theta);
    Vector x(6);
    x << std::sin(tilt) * c, std::sin(tilt) * s, -std::cos(tilt),
        std::cos(tilt) * rate * c - std::sin(tilt) * turning * s,
        std::cos(tilt) * rate * s + std::sin(tilt) * turning * c, std::sin(tilt) * rate;
    return x;
  };
  const Vector end = ReducedSteps<OwnPendulumShape>(gauss(8), 0.05, shape.parameters)(start, 100);
  const StepsOf<Collocation<SphericalPendulum, FlowStages>> constrained(gauss(8), 0.05, {1, 1, 1});
  const Vector end_in_space = constrained(in_space(tilt, rate, theta, turning), 100);
  EXPECT_LT(largest(in_space(end[0], end[1], end[2], 0.3 / std::pow(std::sin(end[0]), 2)) - end_in_space), 1e-12);
}

}  // namespace
}  // namespace polhode::test
