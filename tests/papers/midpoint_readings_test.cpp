// The readings of midpoint_readings.hpp, of which only (i) drifts as McLachlan & Scovel 1995, Figure 2 shows. (ii) to
// (iv) are symplectic. (iii) and (iv) keep the constraints g = 0; (ii) is unstable off them: |g| grows a thousandfold
// by t = 2.3, and then there is no solution that Newton's iteration finds, or Powell's hybrid method, or Levenberg and
// Marquardt's, which leaves a residual of 0.8. (What goes on from an iterate that is no solution gets any |g| between
// 1e3 and 1e9 at t = 5.)
#include "papers/midpoint_readings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polhode/method/implicit_midpoint.hpp"
#include "polhode/method/substituted_multipliers.hpp"

namespace polhode::test {
namespace {

using Pendulum = MidpointReadings;
using System = Pendulum::System;
using Phase = Pendulum::Phase;
using Jacobian = Pendulum::Jacobian;
constexpr int N = Pendulum::N, dim = Pendulum::dim;
constexpr double step = Pendulum::step;

double constraint(const Phase& x) { return Pendulum::constraints(x).cwiseAbs().maxCoeff(); }

/// |g| at t, or at the last step that has a solution.
double constraint_at(Reading reading, double t) {
  Phase x = Pendulum::start();
  for (int n = 0; n < std::lround(t / step) && Pendulum::advance(reading, step, x); ++n) continue;
  return constraint(x);
}

TEST(MidpointReadings, OnlyTheFirstDriftsAsTheFigureShows) {
  for (const double t : {5, 10, 20}) EXPECT_NEAR(constraint_at(Reading::substituted, t), 4e-4, 1e-4);
  EXPECT_NEAR(constraint_at(Reading::canonical, 1), 0.00498, 1e-5);
  EXPECT_NEAR(constraint_at(Reading::canonical, 2), 0.354, 1e-3);
  EXPECT_NEAR(constraint_at(Reading::canonical, 5), 0.448, 1e-3);  // where it ends, at t = 2.3
  for (const Reading reading : {Reading::gauge, Reading::projected})
    EXPECT_LT(constraint_at(reading, 5), 1e-12);  // Newton's tolerance, step after step
}

TEST(MidpointReadings, TheFirstIsTheMethod) {
  using Map = SubstitutedMultipliers<System>;
  const System::Model<double> model(Pendulum::parameters);
  const Map::Constants<double> constants(model, ImplicitMidpointMethod::map_options, {}, step);
  const Map::Step<double> method(model, ImplicitMidpointMethod::map_options, {}, constants, 1);
  Phase x = Pendulum::start();
  System::State<double> y;
  std::copy_n(x.data(), dim, y.v);
  for (int n = 0; n < 20; ++n) {
    ASSERT_TRUE(Pendulum::advance(Reading::substituted, step, x));
    ASSERT_TRUE(method(y, y, true));
  }
  for (int i = 0; i < dim; ++i) EXPECT_NEAR(y[i], x[i], 1e-11);  // this one's Newton stops at 1e-13 in every step
}

TEST(MidpointReadings, ShareTheFlowOnTheConstraints) {
  const Phase x = Pendulum::start(), expected = Pendulum::rate(Reading::substituted, x);
  for (const Reading reading : {Reading::canonical, Reading::projected})
    EXPECT_LT((Pendulum::rate(reading, x) - expected).norm(), 1e-14 * expected.norm());
}

TEST(MidpointReadings, AllButTheFirstAreSymplectic) {
  Jacobian form = Jacobian::Zero();
  form.topRightCorner<N, N>().setIdentity();
  form.bottomLeftCorner<N, N>() = -Eigen::Matrix<double, N, N>::Identity();
  for (const Reading reading : {Reading::substituted, Reading::canonical, Reading::gauge, Reading::projected}) {
    Jacobian tangent;
    for (int i = 0; i < dim; ++i) {
      constexpr double e = 1e-5;
      Phase there = Pendulum::start() + e * Phase::Unit(i), back = Pendulum::start() - e * Phase::Unit(i);
      ASSERT_TRUE(Pendulum::advance(reading, step, there) && Pendulum::advance(reading, step, back));
      tangent.col(i) = (there - back) / (2 * e);
    }
    const double defect = (tangent.transpose() * form * tangent - form).cwiseAbs().maxCoeff();
    if (reading == Reading::substituted)
      EXPECT_GT(defect, 1e-4);
    else
      EXPECT_LT(defect, 1e-8);  // differences
  }
}

}  // namespace
}  // namespace polhode::test
