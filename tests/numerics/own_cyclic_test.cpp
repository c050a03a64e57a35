// A cyclic coordinate of a user's own, reduced and on all coordinates, against the constrained system; and its discrete
// Routh equations against the exact flow.
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/advance_by_definition.hpp"
#include "numerics/routh.hpp"
#include "polhode/method/collocation.hpp"
#include "polhode/method/discrete_routh.hpp"
#include "polhode/method/discrete_routh_map.hpp"
#include "polhode/system/pendulum_chain.hpp"
#include "support/own_pendulum.hpp"

namespace polhode::test {
namespace {

using Vector = Eigen::VectorXd;

TEST(OwnCyclicCoordinate, IsReducedAndReconstructed) {
  const Shape<OwnPendulumShape> shape{{1, 0.3}};
  const double tilt = 0.8, rate = 0.1, theta = 0.2, turning = 0.3 / std::pow(std::sin(tilt), 2);
  const Vector start = Eigen::Vector3d(tilt, rate, theta);
  for (const CollocationOptions& method : {gauss(3), lobatto(4)}) {
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

/// The midpoint's discrete Lagrangian, which a system has without one of its own: order 2, in the angle, too.
TEST(OwnCyclicCoordinate, HasDiscreteRouthEquations) {
  const std::vector<double> parameters{1, 0.3};
  const Vector start = Eigen::Vector3d(0.8, 0.1, 0.2);
  const Vector exact = ReducedSteps<OwnPendulumShape>(gauss(8), 0.05, parameters)(start, 100);
  Vector errors[2];
  for (const int finer : {1, 2}) {
    const double h = 0.02 / finer;
    const StepsOf<DiscreteRouth<OwnPendulumReduced>> step(scheme_of<DiscreteRouthMethod>(), h, parameters);
    errors[finer - 1] = (step(start, 250 * finer) - exact).cwiseAbs();
    const Vector back =
        StepsOf<DiscreteRouth<OwnPendulumReduced>>(scheme_of<DiscreteRouthMethod>(), -h, parameters)(step(start, 1));
    EXPECT_LT(largest(back - start), 1e-15 * 4);  // symmetric, to roundings
  }
  // h^2, and terms of h^4 that are a thousandth of it.
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(std::log2(errors[0][i] / errors[1][i]), 2, 0.01) << i;
}

}  // namespace
}  // namespace polhode::test
