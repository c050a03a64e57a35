// The independent reference against values computed elsewhere in quadruple precision (docs: acceptance A, B, E),
// figures of the papers, and itself. It must be right on its own: everything else is compared with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/reference/heavy_top_embedding.hpp"
#include "backend/reference/reference_backend.hpp"
#include "backend/reference/reference_body.hpp"
#include "numerics/constrained_bodies.hpp"
#include "support/heavy_top.hpp"

namespace polhode::test {
namespace {

template <class Real>
using TopByRattle = ReferenceBody<Real, HeavyTopEmbedding, RattleBody>;

/// Steps of length h, which must all succeed.
template <class Real>
std::array<Real, 6> run(const TopParameters& parameters, const std::array<Real, 6>& state, Real h, int steps) {
  TopByRattle<Real> top(parameters.data(), h);
  top.set_state(state);
  for (int n = 0; n < steps; ++n) EXPECT_TRUE(top.step()) << "step " << n;
  return top.state();
}

/// Euclidean distance of Pi at t = 10 from the exact one.
double error_at_10(const TopParameters& parameters, const std::array<double, 3>& exact, int steps) {
  const Point x = run(parameters, body_start, 10.0 / steps, steps);
  return std::hypot(x[0] - exact[0], x[1] - exact[1], x[2] - exact[2]);
}

template <class Real>
Real largest_difference(const std::array<Real, 6>& a, const std::array<Real, 6>& b) {
  Real largest = 0;
  for (int k = 0; k < 6; ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

std::vector<Point> random_points(int n) {
  std::mt19937 generator(1995);
  std::vector<Point> points(n);
  for (Point& x : points) x = random_point(generator);
  return points;
}

template <class Real>
class ReferenceStep : public testing::Test {};
using Reals = testing::Types<double, long double>;
TYPED_TEST_SUITE(ReferenceStep, Reals);

TYPED_TEST(ReferenceStep, ConstraintsHoldAtRoundOffAfterEveryStep) {
  using Real = TypeParam;
  // Entries of Q are at most 1 and those of Q^T P D^-1 at most |Omega| < 4; both residuals are sums of a few such
  // products. Measured: 0.5 and 3.4 epsilon.
  const Real epsilon = std::numeric_limits<Real>::epsilon();
  TopByRattle<Real> top(heavy_body.data(), Real(0.1));
  top.set_state({body_start[0], body_start[1], body_start[2], body_start[3], body_start[4], body_start[5]});
  for (int n = 0; n < 100; ++n) {
    ASSERT_TRUE(top.step());
    EXPECT_LE(top.motion().constraint_residual(), 4 * epsilon) << "step " << n;
    EXPECT_LE(top.motion().hidden_constraint_residual(), 16 * epsilon) << "step " << n;
  }
}

TEST(Reference, ReproducesTheErrorsOfDiscreteMoserVeselov) {
  // Acceptance A, column of order 2, printed to 4 digits: half a unit of the last.
  EXPECT_NEAR(error_at_10(free_body, free_body_pi_at_10, 100), 2.783e-1, 0.5e-4);
  EXPECT_NEAR(error_at_10(free_body, free_body_pi_at_10, 200), 6.565e-2, 0.5e-5);
  EXPECT_NEAR(error_at_10(free_body, free_body_pi_at_10, 400), 1.617e-2, 0.5e-5);
}

TEST(Reference, ConvergesWithOrderTwoToTheHeavyTop) {
  // Acceptance B. The next term of the error moves the slope by O(h^2): measured 1.994, 1.9985.
  double coarse = error_at_10(heavy_body, heavy_body_pi_at_10, 400);
  for (int steps : {800, 1600}) {
    const double fine = error_at_10(heavy_body, heavy_body_pi_at_10, steps);
    const double order = std::log2(coarse / fine);
    EXPECT_GT(order, 1.95) << steps << " steps";
    EXPECT_LT(order, 2.05) << steps << " steps";
    coarse = fine;
  }
}

TEST(Reference, ReproducesTheEnergyErrorOfHairersFigure1) {
  // Hairer 2003, Figure 1: V = q33, Euler parameters (0.4, 0.2, 0.4, 0.8), Omega = (0.2, 1, 0.4), H_0 = 1.14. Minima of
  // (H_n - H_0)/h^2 on [0, 20] from theory.md, printed to 4 decimals.
  constexpr TopParameters body = {0.5, 0.9, 1.0, 0, 0, 1, 1};
  constexpr double w = 0.4, x = 0.2, y = 0.4, z = 0.8;
  constexpr Point from = {0.5 * 0.2,           0.9 * 1.0,           1.0 * 0.4,
                          2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
  struct Row {
    int steps;
    double minimum;
  };
  for (const Row row : {Row{100, -1.9385}, Row{200, -1.9029}, Row{400, -1.8998}, Row{800, -1.9006}}) {
    const double h = 20.0 / row.steps;
    TopByRattle<double> top(body.data(), h);
    top.set_state(from);
    const double h0 = top.motion().energy();
    EXPECT_NEAR(h0, 1.14, 4e-15);  // four roundings of terms up to 1
    double minimum = 0, maximum = 0;
    for (int n = 0; n < row.steps; ++n) {
      ASSERT_TRUE(top.step());
      minimum = std::min(minimum, (top.motion().energy() - h0) / (h * h));
      maximum = std::max(maximum, (top.motion().energy() - h0) / (h * h));
    }
    EXPECT_NEAR(minimum, row.minimum, 0.5e-4) << "h = " << h;
    EXPECT_EQ(maximum, 0) << "h = " << h;
  }
}

TEST(Reference, StepsBackToWhereItCameFrom) {
  for (const Point& x : random_points(200)) {
    TopByRattle<double> top(heavy_body.data(), 0.05);
    top.set_state(x);
    ASSERT_TRUE(top.step());
    ASSERT_EQ(top.advance(-0.05), Status::ok);
    // Two solves to round-off of quantities up to 4. Measured: 1.1e-15 over 2000 states.
    EXPECT_LT(largest_difference(top.state(), x), 1e-14);
  }
}

TEST(Reference, DoubleAgreesWithLongDoublePerStep) {
  for (const Point& x : random_points(200)) {
    std::array<long double, 6> wide;
    for (int k = 0; k < 6; ++k) wide[k] = x[k];
    const Point narrow_end = run(heavy_body, x, 0.05, 1);
    const auto wide_end = run(heavy_body, wide, static_cast<long double>(0.05), 1);
    // Design.md: 1e-14 per step. Measured: 1.3e-15 over 2000 states.
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(narrow_end[k], double(wide_end[k]), 1e-14);
  }
}

TEST(Reference, ReductionUndoesTheEmbedding) {
  for (Point x : random_points(200)) {
    for (int k = 3; k < 6; ++k) x[k] *= 1 + 1e-6;  // as far from 1 as given states may be
    RattleBody<double> body(heavy_body.data());
    body.set_pose(HeavyTopEmbedding<double>::lift(x));
    // Products of three numbers of size 1 or, for Pi, up to 4: a few roundings of each.
    EXPECT_LT(largest_difference(HeavyTopEmbedding<double>::reduce(body.pose(), x), x), 4e-15);
    EXPECT_LT(body.constraint_residual(), 4e-16);
  }
}

TEST(Reference, DependsOnTheLengthOfGammaOnlyThroughItsWeight) {
  // The reduced equations depend on c Gamma alone: twice the vertical and half the weight change nothing but Gamma.
  constexpr TopParameters half = {0.6, 0.8, 1.0, 0, 0, 1, 0.5};
  for (Point x : random_points(20)) {
    const Point once = run(heavy_body, x, 0.05, 10);
    for (int k = 3; k < 6; ++k) x[k] *= 2;
    const Point twice = run(half, x, 0.05, 10);
    for (int k = 0; k < 6; ++k) EXPECT_EQ(twice[k], k < 3 ? once[k] : 2 * once[k]);  // powers of two are exact
  }
}

TEST(Reference, KeepsTheStateOfAStepThatHasNoSolution) {
  // A ball with I = 1 turning at |Omega| = 1: the step turns it by asin(h), and there is none for h > 1.
  constexpr TopParameters ball = {1, 1, 1, 0, 0, 1, 0};
  TopByRattle<double> top(ball.data(), 0.99);
  top.set_state({1, 0, 0, 0, 0, 1});
  EXPECT_TRUE(top.step());
  const Point before = top.state();
  EXPECT_NEAR(before[4], 0.99, 1e-14);  // sin of that angle; the square root at the fold costs a digit
  EXPECT_EQ(top.advance(1.01), Status::not_converged);
  EXPECT_EQ(top.state(), before);
  EXPECT_EQ(top.advance(std::numeric_limits<double>::infinity()), Status::not_finite);
  EXPECT_EQ(top.state(), before);
}

TEST(Reference, RefusesASingularMassMatrix) {
  constexpr TopParameters plate = {1, 2, 3, 0, 0, 1, 1};  // alpha3 = 0
  try {
    TopByRattle<double> top(plate.data(), 0.05);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find("alpha3 = 0 cannot be used ("), 0u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  RunPlan plan{};
  std::copy(plate.begin(), plate.end(), plan.parameters);
  plan.step_plan.kicks[0] = {.before = 0.5, .after = 0.5};
  EXPECT_THROW(reference_of<HeavyTop>()(plan, {"rattle"}), std::invalid_argument);
}

/// McLachlan & Scovel 1995, sect. 6.3: relative vectors q1, q2.
ConstrainedProblem<double> double_spherical_pendulum() {
  constexpr double m1 = 1, m2 = 1.5, l1 = 1, l2 = 1.5, g = 9.81;
  Eigen::MatrixXd w = Eigen::MatrixXd::Zero(6, 6);
  for (int k = 0; k < 3; ++k) {
    w(k, k) = 1 / m1;
    w(k, 3 + k) = w(3 + k, k) = -1 / m1;
    w(3 + k, 3 + k) = 1 / m1 + 1 / m2;
  }
  return {.inverse_mass = w,
          .potential = [=](const Eigen::VectorXcd& q) { return m1 * g * q[2] + m2 * g * (q[2] + q[5]); },
          .constraints =
              [=](const Eigen::VectorXcd& q) {
                return Eigen::VectorXcd{{0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - l1 * l1),
                                         0.5 * (q[3] * q[3] + q[4] * q[4] + q[5] * q[5] - l2 * l2)}};
              }};
}

using PendulumStep = ConstrainedStep<double>;

/// Acceptance E.
PendulumStep::Point pendulum_start() {
  PendulumStep::Point x{Eigen::VectorXd(6), Eigen::VectorXd(6)};
  Eigen::VectorXd velocity(6);
  x.q << 1, 0, 0, 1.5, 0, 0;
  velocity << 0, 1, 0, 0, 1, 0;  // of the relative vectors; the bobs move at (0,1,0) and (0,2,0)
  x.p = solve_dense<double>(double_spherical_pendulum().inverse_mass, velocity);
  return x;
}

/// Distance of both bobs at t = 5 from acceptance E, by RATTLE.
double pendulum_error(int steps) {
  const PendulumStep step(double_spherical_pendulum());
  PendulumStep::Point x = pendulum_start();
  Eigen::VectorXd exact(6);
  EXPECT_NEAR(step.energy(x), 3.5, 1e-14);  // a few roundings of terms up to 3
  for (int n = 0; n < steps; ++n) EXPECT_EQ(step(5.0 / steps, {0.5, 0.5}, x), Status::ok);
  exact << 0.412319944659943367, -0.910806549116961332, 0.0205838121171357183, 1.75411043462610663,
      -0.754445748494756839, -0.631451141750482288;
  x.q.tail(3) += x.q.head(3);
  return (x.q - exact).norm();
}

TEST(Reference, SolvesAConstrainedSystemWithOrderTwo) {
  // Measured: 2.002, 2.0006.
  double coarse = pendulum_error(500);
  for (int steps : {1000, 2000}) {
    const double fine = pendulum_error(steps);
    const double order = std::log2(coarse / fine);
    EXPECT_GT(order, 1.95) << steps << " steps, error " << fine;
    EXPECT_LT(order, 2.05) << steps << " steps, error " << fine;
    coarse = fine;
  }
}

TEST(Reference, FirstOrderKeepsHairersModifiedHamiltonian) {
  // Hairer 2003, Example 3.2: H - (h/2) V_q.W p is constant to O(h^2) along the first-order constraint algorithm, H
  // only to O(h). Ranges of both on acceptance E over t = 2 from theory.md, sect. 4, printed to 3 digits. The adjoint
  // is the algorithm run backwards, so that its sign of h differs.
  struct Row {
    double h, energy, modified;
  };
  for (const Row row : {Row{.01, .861, .0117}, Row{.005, .431, .00292}, Row{.0025, .215, .000729}}) {
    for (const KickFractions kicks : {KickFractions{1, 0}, KickFractions{0, 1}}) {
      const ConstrainedProblem<double> pendulum = double_spherical_pendulum();
      const PendulumStep step(pendulum);
      PendulumStep::Point x = pendulum_start();
      double least[2] = {HUGE_VAL, HUGE_VAL}, largest[2] = {-HUGE_VAL, -HUGE_VAL};
      for (int n = 0; n * row.h <= 2 + row.h / 2; ++n) {
        const double power = step.potential_gradient(x.q).dot(pendulum.inverse_mass * x.p), energy = step.energy(x);
        const double values[2] = {energy, energy - (kicks.before - kicks.after) * row.h / 2 * power};
        for (int i = 0; i < 2; ++i) least[i] = std::min(least[i], values[i]);
        for (int i = 0; i < 2; ++i) largest[i] = std::max(largest[i], values[i]);
        ASSERT_EQ(step(row.h, kicks, x), Status::ok);
      }
      // The adjoint's differ in the next order: by a term h times the rate.
      const double slack = kicks.before == 1 ? 0 : 0.05;
      EXPECT_NEAR(largest[0] - least[0], row.energy, 0.5e-3 + slack * row.energy) << "h = " << row.h;
      EXPECT_NEAR((largest[1] - least[1]) / row.modified, 1, 0.005 + slack) << "h = " << row.h;
    }
  }
}

}  // namespace
}  // namespace polhode::test
