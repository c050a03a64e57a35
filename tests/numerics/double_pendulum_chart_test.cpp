// The double spherical pendulum in the cylindrical chart and on the constraint surface (Jalnapurkar, Leok, Marsden &
// West 2006, sect. 6 and 7): one motion, also where a rod comes near the horizontal and the chart near its end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "numerics/routh.hpp"
#include "polhode/method/collocation.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {
namespace {

using Pendulum = DoublePendulumShape;
using Vector = Eigen::VectorXd;
using Point = Eigen::Vector<double, 12>;
using SpaceSteps = StepsOf<Collocation<DoubleSphericalPendulum, FlowStages>>;

const std::vector<double> parameters{1, 2, 1, 0.8, 1};

/// Rods and their momenta at a state (x, s, theta), with the chart's equations written out.
Point in_space(const Vector& state) {
  const ReducedMotion::Rates rates =
      ReferenceSteps<Pendulum>(gauss(1), 0.1, double_pendulum.parameters).motion().rates(state.head(3), state.segment(3, 3));
  Point point;
  Eigen::Matrix<double, 3, 2> velocities;
  for (int k = 0; k < 2; ++k) {
    const double r = state[k], length = parameters[2 + k], depth = std::sqrt(length * length - r * r);
    const double angle = state[6] + (k == 1 ? state[2] : 0), turning = rates.turning + (k == 1 ? rates.velocity[2] : 0);
    const double c = std::cos(angle), s = std::sin(angle), moving = rates.velocity[k];
    point.segment<3>(3 * k) << r * c, r * s, -depth;
    velocities.col(k) << moving * c - r * turning * s, moving * s + r * turning * c, r * moving / depth;
  }
  point.segment<3>(6) = 3 * velocities.col(0) + 2 * velocities.col(1);
  point.segment<3>(9) = 2 * (velocities.col(0) + velocities.col(1));
  return point;
}
double energy_in_space(const Point& point) {
  Vec<double, 12> x;
  std::copy_n(point.data(), 12, x.v);
  return DoubleSphericalPendulum::Model<double>(parameters.data()).energy(x);
}
double energy_in_chart(const Vector& state) {
  Vec<double, 7> x;
  std::copy_n(state.data(), 7, x.v);
  return DoublePendulumReduced::Model<double>(double_pendulum.parameters.data()).energy(x);
}

TEST(DoublePendulumChart, HasTheMotionOfTheConstrainedPendulum) {
  const Vector start = double_pendulum_start();
  const Point start_in_space = in_space(start);
  EXPECT_NEAR(energy_in_space(start_in_space), energy_in_chart(start), 4e-15);
  // The momentum map, of which the printed connection makes another value.
  const Eigen::Vector3d momentum = start_in_space.head<3>().cross(start_in_space.segment<3>(6)) +
                                   start_in_space.segment<3>(3).cross(start_in_space.tail<3>());
  EXPECT_NEAR(momentum[2], double_pendulum.mu(), 1e-15);
  const double inertia = double_pendulum.inertia(start.head(3));
  const double printed = inertia * 1.1 + std::sin(0.3) * (0.5 * -0.05 - 0.4 * 0.1) + 2 * (0.16 + 0.2 * std::cos(0.3)) * 0.2;
  EXPECT_GT(std::abs(printed - double_pendulum.mu()), 0.01);

  const Vector end = ReducedSteps<Pendulum>(gauss(8), 0.05, double_pendulum.parameters)(start, 100);
  const Point end_in_space = SpaceSteps(gauss(8), 0.05, parameters)(start_in_space, 100);
  printf("%g\n", largest(in_space(end) - end_in_space));
  EXPECT_LT(largest(in_space(end) - end_in_space), 1e-11);
}

/// A start from which rod 2 comes within a hundredth of its length of the horizontal.
TEST(DoublePendulumChart, EnergySpikesNearItsEndAndNotOnTheConstraints) {
  for (double v2 = 0.5; v2 < 0.9; v2 += 0.02) {
    Vector start = double_pendulum_start();
    const Vector x = start.head(3);
    start.segment(3, 3) = double_pendulum.horizontal(x) * Eigen::Vector3d(0.1, v2, 0.2);
    ReducedSteps<Pendulum> step(gauss(8), 0.01, double_pendulum.parameters);
    double most = 0; int n = 0; int at = 0;
    for (; n < 2000; ++n) {
      if (!step.try_from(start)) break;
      if (!(start[1] < 0.8 && start[0] < 1)) break;
      if (start[1] > most) most = start[1], at = n;
    }
    printf("%g: most r2 %g at %d of %d\n", v2, most, at, n);
  }
}

}  // namespace
}  // namespace polhode::test
