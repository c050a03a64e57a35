// The constraint algorithm and the midpoint rule of McLachlan & Scovel 1995, Figure 2 "have roughly comparable
// truncation errors" (sect. 6.3): errors of one step of RATTLE and of the implicit midpoint rule on the equations with
// substituted multipliers, for the free double spherical pendulum of the figure. What makes the figure is that those of
// the midpoint rule lead away from the constraints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "papers/midpoint_readings.hpp"
#include "polhode/method/bound_method.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/implicit_midpoint.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/method/substituted_multipliers.hpp"

namespace polhode::test {
namespace {

using Pendulum = MidpointReadings;
using System = Pendulum::System;
using Phase = Pendulum::Phase;

using Rattle = BoundMethod<RattleMethod, ConstrainedMotion<System, NewtonSolver>>;
using Midpoint = BoundMethod<ImplicitMidpointMethod, SubstitutedMultipliers<System>>;

/// Exact motion on the constraints, by Runge-Kutta steps of at most 0.001, which are off by 1e-15 each.
Phase exact(Phase x, double t) {
  const int steps = static_cast<int>(std::ceil(t / 0.001));
  const double h = t / steps;
  const auto at = [](const Phase& y) { return Pendulum::rate(Reading::substituted, y); };
  for (int n = 0; n < steps; ++n) {
    const Phase k1 = at(x), k2 = at(x + h / 2 * k1), k3 = at(x + h / 2 * k2), k4 = at(x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return x;
}

/// Error of (q, p) after one step.
template <class Method>
double truncation_error(const Phase& x, double h) {
  const System::Model<double> model(Pendulum::parameters);
  const typename Method::template Step<double> step(model, h,
                                                    Method::template nominal_sweeps<double>(Pendulum::parameters, h));
  System::State<double> y;
  std::copy_n(x.data(), Pendulum::dim, y.v);
  EXPECT_TRUE(step(y, y, true));
  return (Eigen::Map<const Phase>(y.v) - exact(x, h)).norm();
}

TEST(TruncationErrors, OfRattleAndTheMidpointRuleAreComparable) {
  double least = 1, most = 0;
  Phase x = Pendulum::start();
  for (int n = 0; n < 20; ++n, x = exact(x, 1)) {  // along the motion of the figure
    const double ratio = truncation_error<Midpoint>(x, Pendulum::step) / truncation_error<Rattle>(x, Pendulum::step);
    least = std::min(least, ratio), most = std::max(most, ratio);
    // Both of order 2. The next term, h smaller, moves the slopes by 0.033 at most where it was measured.
    constexpr double h = Pendulum::step / 4;
    EXPECT_NEAR(std::log2(truncation_error<Midpoint>(x, h) / truncation_error<Midpoint>(x, h / 2)), 3, 0.05) << n;
    EXPECT_NEAR(std::log2(truncation_error<Rattle>(x, h) / truncation_error<Rattle>(x, h / 2)), 3, 0.05) << n;
  }
  // Those of the midpoint rule are the smaller ones, by a factor between 1.2 and 2.8.
  EXPECT_NEAR(least, 0.358, 0.002);
  EXPECT_NEAR(most, 0.839, 0.002);
}

}  // namespace
}  // namespace polhode::test
