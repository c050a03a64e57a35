// The double spherical pendulum in the cylindrical chart and on the constraint surface (Jalnapurkar, Leok, Marsden &
// West 2006, sect. 6 and 7): one motion, also where a rod comes near the horizontal and the chart near its end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/routh.hpp"
#include "polhode/method/collocation.hpp"
#include "polhode/method/constrained_collocation.hpp"
#include "polhode/method/runge_kutta.hpp"
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
  const ReducedMotion::Rates rates = ReferenceSteps<Pendulum>(gauss(1), 0.1, double_pendulum.parameters)
                                         .motion()
                                         .rates(state.head(3), state.segment(3, 3));
  Point point;
  Eigen::Matrix<double, 3, 2> velocities;
  for (int k = 0; k < 2; ++k) {
    const double r = state[k], length = parameters[2 + k], depth = std::sqrt(length * length - r * r);
    const double angle = state[6] + (k == 1 ? state[2] : 0),
                 turning = rates.angle_rate + (k == 1 ? rates.velocity[2] : 0);
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
  const double printed =
      inertia * 1.1 + std::sin(0.3) * (0.5 * -0.05 - 0.4 * 0.1) + 2 * (0.16 + 0.2 * std::cos(0.3)) * 0.2;
  EXPECT_GT(std::abs(printed - double_pendulum.mu()), 0.01);

  const Vector end = ReducedSteps<Pendulum>(gauss(8), 0.05, double_pendulum.parameters)(start, 100);
  const Point end_in_space = SpaceSteps(gauss(8), 0.05, parameters)(start_in_space, 100);
  EXPECT_LT(largest(in_space(end) - end_in_space), 2e-13);  // 1e-14
}

struct Trace {
  Vector end;
  std::vector<double> errors;  ///< |H - H(0)| after each step
};
template <class Steps, class Energy>
Trace trace(const Steps& step, const Energy& energy, Vector x, int steps) {
  const double start = energy(x);
  std::vector<double> errors;
  for (int n = 0; n < steps; ++n) {
    x = step(x);
    errors.push_back(std::abs(energy(x) - start));
  }
  return {x, errors};
}

/// The largest in the time from a to b of 3.
double most_between(double a, double b, const std::vector<double>& errors) {
  const auto n = static_cast<double>(errors.size());
  return *std::max_element(errors.begin() + std::lround(n * a / 3), errors.begin() + std::lround(n * b / 3));
}

/// A start from which rod 2 comes up to r2 = l2 - below at t = 1.5, and falls again.
Vector start_below(double below) {
  Vector start(7);
  start << 0.5, 0.8 - below, 0.3, 0, 0, 0, 0.25;
  start.segment(3, 3) = double_pendulum.horizontal(start.head(3)) * Eigen::Vector3d(0.1, 0, 0.2);
  return ReducedSteps<Pendulum>(gauss(8), -0.005, double_pendulum.parameters)(start, 300);
}

/// Rates of the chart grow without bound near the horizontal. Gauss collocation misses the energy by the more for a
/// moment, and is back at its usual error afterwards, as a symplectic map is, where the classical Runge-Kutta method is
/// not; on the constraint surface the Lobatto pair, of the same order, errs least of all there. Figures measured here.
TEST(DoublePendulumChart, EnergySpikesNearItsEndAndNotOnTheConstraints) {
  constexpr double h = 0.02;
  const Vector start = start_below(2e-4);
  const Trace in_chart =
      trace(ReducedSteps<Pendulum>(gauss(2), h, double_pendulum.parameters), energy_in_chart, start, 150);
  const Trace on_constraints =
      trace(StepsOf<ConstrainedCollocation<DoubleSphericalPendulum>>(lobatto(3), h, parameters), energy_in_space,
            in_space(start), 150);
  // One orbit: bobs differ by 5e-8, the errors of both.
  EXPECT_LT(largest(in_space(in_chart.end).head<6>() - on_constraints.end.head<6>()), 2e-7);
  const auto worse = [&](double a, double b) {
    return most_between(a, b, in_chart.errors) / most_between(a, b, on_constraints.errors);
  };
  EXPECT_NEAR(worse(0, 1.2), 3.94, 0.4);
  EXPECT_NEAR(worse(1.2, 1.8), 56, 6);
  EXPECT_NEAR(worse(1.8, 3), 5.1, 0.5);
  EXPECT_NEAR(most_between(1.2, 1.8, on_constraints.errors) / most_between(0, 1.2, on_constraints.errors), 0.096, 0.01);

  const Trace by_rk4 = trace(StepsOf<RungeKutta<DoublePendulumReduced>>(
                                 RungeKuttaOptions{.scheme = RungeKuttaScheme::rk4}, h, double_pendulum.parameters),
                             energy_in_chart, start, 150);
  // Of the error before it, in the passage and after it.
  const auto share = [](double a, double b, const Trace& of) {
    return most_between(a, b, of.errors) / most_between(0, 1.2, of.errors);
  };
  EXPECT_NEAR(share(1.2, 1.8, in_chart), 1.36, 0.14);
  EXPECT_NEAR(share(1.8, 3, in_chart), 0.85, 0.09);
  EXPECT_NEAR(share(1.2, 1.8, by_rk4), 2.64, 0.26);
  EXPECT_NEAR(share(1.8, 3, by_rk4), 2.06, 0.2);
}

/// Nearer still the stages are no longer found to round-off, and a step says so.
TEST(DoublePendulumChart, StepsFailAtItsEnd) {
  Vector x = double_pendulum_start();
  x[1] = 0.8 - 1e-7;
  x.segment(3, 3) = double_pendulum.horizontal(x.head(3)) * Eigen::Vector3d(0.1, 0.01, 0.2);
  const ReducedSteps<Pendulum> step(gauss(2), 0.05, double_pendulum.parameters);
  EXPECT_EQ(step.failure(x), Status::not_converged);
  EXPECT_FALSE(step.try_from(x));
}

}  // namespace
}  // namespace polhode::test
