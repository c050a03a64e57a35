// The satellite of an oblate planet (Jalnapurkar, Leok, Marsden & West 2006, sect. 5), and what its four pictures show,
// by figures of an independent implementation: the node of an orbit precesses because the planet is oblate, and because
// the midpoint rule is used in cylindrical coordinates; the reduced orbit tells them apart.
#include "polhode/system/j2_satellite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "numerics/routh.hpp"

namespace polhode::test {
namespace {

using Vector = Eigen::VectorXd;
constexpr double full_turn = 2 * std::numbers::pi;

/// Cartesian coordinates.
using SpaceSteps = StepsOf<Collocation<J2Satellite, CanonicalStages>>;
const Eigen::Vector<double, 6> start_in_space{1, 0, 0, 0, 0.95533648912560601964231, 0.29552020666133957510532};

/// q x p.
Eigen::Vector3d angular_momentum(const Vector& x) { return x.head<3>().cross(x.tail<3>()); }

/// Of reduced states (r, z, pr, pz, theta).
struct Orbit {
  double precession = 0;                    ///< of the node in one revolution, between passages upward through z = 0
  double nearest = HUGE_VAL, farthest = 0;  ///< R
  double lowest = HUGE_VAL, highest = 0;    ///< z
};
Orbit follow(double oblateness, const CollocationOptions& method, double h, int steps) {
  const ReducedSteps<J2SatelliteShape> step(method, h, satellite(oblateness).parameters);
  Vector x = satellite_start();
  Orbit orbit;
  double first = 0, last = 0;
  int passages = 0;
  for (int n = 0; n < steps; ++n) {
    const Vector before = x;
    x = step(x);
    const double R = std::hypot(x[0], x[1]);
    orbit.nearest = std::min(orbit.nearest, R);
    orbit.farthest = std::max(orbit.farthest, R);
    orbit.lowest = std::min(orbit.lowest, x[1]);
    orbit.highest = std::max(orbit.highest, x[1]);
    if (!(before[1] < 0 && x[1] >= 0)) continue;
    const double share = before[1] / (before[1] - x[1]);  // a line's error counts once in all revolutions
    last = before[4] + share * (x[4] - before[4]);
    if (passages++ == 0) first = last;
  }
  orbit.precession = (last - first) / (passages - 1) - full_turn;
  return orbit;
}

struct Row {
  double oblateness;
  CollocationOptions method;
  double step, precession, nearest, farthest;
  double precession_digits, range_digits;  ///< half of the last ones that are known
};
/// In 3000 steps. The last range was measured here.
const Row rows[] = {
    {0.05, gauss(2), 0.1, -0.4449, 0.8556, 1.0000, 5e-5, 5e-5}, {0.05, gauss(1), 0.3, -0.370, 0.850, 1.000, 5e-4, 5e-4},
    {0, gauss(1), 0.05, 0.00148, 0.99986, 1.00000, 5e-6, 5e-6}, {0, gauss(1), 0.3, 0.0532, 0.9928, 1.0029, 5e-5, 5e-5},
    {0, gauss(1), 0.6, 0.209, 0.81, 1.17, 5e-4, 5e-3},          {0, gauss(1), 0.9, 0.458, 0.80, 1.16, 5e-4, 5e-3},
};

TEST(J2Satellite, NodesPrecessAndReducedOrbitsThicken) {
  std::vector<Orbit> orbits;
  for (const Row& row : rows) {
    SCOPED_TRACE(::testing::Message() << "J2 " << row.oblateness << ", h " << row.step);
    const Orbit orbit = follow(row.oblateness, row.method, row.step, 3000);
    EXPECT_NEAR(orbit.precession, row.precession, row.precession_digits);
    EXPECT_NEAR(orbit.nearest, row.nearest, row.range_digits);
    EXPECT_NEAR(orbit.farthest, row.farthest, row.range_digits);
    orbits.push_back(orbit);
  }
  // -3 pi J2 cos i is -0.4502, of the first order in J2; the second order is some J2/4 of it.
  EXPECT_NEAR(orbits[0].precession, -3 * std::numbers::pi * 0.05 * std::cos(0.3), 0.006);
  // Whole orbits precess in both cases, while the reduced ones differ: unless the step is too large.
  const auto thickness = [](const Orbit& orbit) { return orbit.farthest - orbit.nearest; };
  EXPECT_NEAR(thickness(orbits[3]) / thickness(orbits[1]), 0.0101 / 0.150, 0.001);
  EXPECT_GT(thickness(orbits[4]), 2 * thickness(orbits[1]));
}

/// The reduced orbit of a circle about a sphere is an arc, which is run back and forth.
TEST(J2Satellite, CirclesReduceToArcs) {
  const Orbit orbit = follow(0, gauss(8), 0.1, 3000);
  EXPECT_NEAR(orbit.precession, 0, 2e-6);  // 7e-7: of the line between two states
  EXPECT_NEAR(orbit.nearest, 1, 1e-13);
  EXPECT_NEAR(orbit.farthest, 1, 1e-13);
  EXPECT_NEAR(orbit.highest, std::sin(0.3), 1e-5);  // seen at steps
  EXPECT_NEAR(orbit.lowest, -std::sin(0.3), 1e-5);
  // A revolution at the surface takes 2 pi.
  const SpaceSteps step(gauss(8), full_turn / 64, {0, 0.01});
  EXPECT_LT(largest(step(start_in_space, 64) - start_in_space), 1e-14);
}

/// By the midpoint rule the node stands still in Cartesian coordinates, where the group acts linearly.
TEST(J2Satellite, MidpointRuleKeepsTheNodeInCartesianCoordinates) {
  const Eigen::Vector3d momentum = angular_momentum(start_in_space);
  for (const double oblateness : {0.0, 0.05}) {
    const SpaceSteps step(gauss(1), 0.3, {oblateness, 0.01});
    Vector x = start_in_space;
    double most = 0, most_along_the_axis = 0, angle = 0, first = 0, last = 0;
    int passages = 0;
    for (int n = 0; n < 3000; ++n) {
      const Vector before = x;
      x = step(x);
      const Eigen::Vector3d change = angular_momentum(x) - momentum;
      most = std::max(most, largest(change));
      most_along_the_axis = std::max(most_along_the_axis, std::abs(change[2]));
      angle += std::remainder(std::atan2(x[1], x[0]) - std::atan2(before[1], before[0]), full_turn);
      if (!(before[2] < 0 && x[2] >= 0)) continue;
      const double share = before[2] / (before[2] - x[2]);
      const Vector at = before + share * (x - before);  // on the chord, which the node is on too
      last = angle + std::remainder(std::atan2(at[1], at[0]) - std::atan2(x[1], x[0]), full_turn);
      if (passages++ == 0) first = last;
    }
    const double precession = (last - first) / (passages - 1) - full_turn;
    EXPECT_LT(most_along_the_axis, 1e-13);
    if (oblateness == 0) {
      EXPECT_LT(most, 1e-13);
      EXPECT_NEAR(precession, 0, 1e-12);  // round-off; by the same rule in cylindrical coordinates it is 0.0532
    } else {
      EXPECT_GT(most, 0.1);
      EXPECT_LT(precession, -0.3);
    }
  }
}

/// Cartesian states and those of cylindrical coordinates (r, z, theta, pr, pz, mu).
Vector cylindrical(const Vector& x) {
  const double r = std::hypot(x[0], x[1]), c = x[0] / r, s = x[1] / r;
  Vector y(6);
  y << r, x[2], std::atan2(x[1], x[0]), c * x[3] + s * x[4], x[5], x[0] * x[4] - x[1] * x[3];
  return y;
}
Vector cartesian(const Vector& y) {
  const double c = std::cos(y[2]), s = std::sin(y[2]), across = y[5] / y[0];
  Vector x(6);
  x << y[0] * c, y[0] * s, y[1], y[3] * c - across * s, y[3] * s + across * c, y[4];
  return x;
}
/// (x, y, z) to (y, z, x): the axis of the coordinates is another one.
Vector turned(const Vector& x) {
  Vector y(6);
  y << x[1], x[2], x[0], x[4], x[5], x[3];
  return y;
}

/// About a sphere, in the charts of cylindrical coordinates about three axes in turn, each for ten steps: the midpoint
/// rule does not commute with the changes, and what one chart keeps another does not. With those of Cartesian
/// coordinates it does.
TEST(J2Satellite, AcrossChartsTheMomentumIsNotKept) {
  const FullSteps<J2SatelliteShape> in_chart(gauss(1), 0.1, {0, 0.01});
  const SpaceSteps in_space(gauss(1), 0.1, {0, 0.01});
  // A circle far from all axes, whose plane is turned to itself.
  Vector x(6);
  x << 1 / std::sqrt(2), -1 / std::sqrt(2), 0, 1 / std::sqrt(6), 1 / std::sqrt(6), -2 / std::sqrt(6);
  Vector y = x;
  const Eigen::Vector3d momentum = angular_momentum(x);
  double most = 0, most_in_space = 0;
  for (int k = 0; k < 1000; ++k) {
    x = turned(cartesian(in_chart(cylindrical(x), 10)));
    y = turned(in_space(y, 10));
    most = std::max(most, largest(angular_momentum(x) - momentum));
    most_in_space = std::max(most_in_space, largest(angular_momentum(y) - momentum));
  }
  EXPECT_NEAR(most, 0.0116, 0.0005);  // to and fro: such changes of charts are regular, too
  EXPECT_LT(most_in_space, 1e-13);
}

/// Forces of the Cartesian system are written out, those of the others derivatives of the potential by dual numbers:
///
///   V_r = r c,  V_z = z c + 3 J2 z/R^5,  c = 1/R^3 + 3 J2/(2 R^5) - 15 J2 z^2/(2 R^7)
///
/// and p_r' = -V_r + mu^2/r^3, where the paper prints the centrifugal term of the Routhian without its r^2.
TEST(J2Satellite, HasTheForcesOfItsPotential) {
  const double J2 = 0.05, r = 0.9, z = 0.4, mu = 0.7;
  const double R = std::hypot(r, z);
  const double c = std::pow(R, -3) + 3 * J2 / (2 * std::pow(R, 5)) - 15 * J2 * z * z / (2 * std::pow(R, 7));
  const double slope_r = r * c, slope_z = z * c + 3 * J2 * z / std::pow(R, 5);
  const double parameters[] = {J2, 0.01, mu};
  const J2SatelliteReduced::Model<double> reduced(parameters);
  const auto flow = reduced.flow({r, z, 0.1, 0.2, 0.0});
  EXPECT_NEAR(flow[2], -slope_r + mu * mu / (r * r * r), 2e-15);
  EXPECT_NEAR(flow[3], -slope_z, 2e-15);
  EXPECT_NEAR(flow[4], mu / (r * r), 1e-15);
  EXPECT_NEAR(reduced.energy({r, z, 0, 0, 0}),
              -1 / R - J2 / (2 * R * R * R) * (1 - 3 * z * z / (R * R)) + mu * mu / (2 * r * r), 1e-15);
  const J2Satellite::Model<double> in_space(parameters);
  const auto force = in_space.potential_gradient({0.6 * r, 0.8 * r, z});
  EXPECT_NEAR(force[0], 0.6 * slope_r, 2e-15);
  EXPECT_NEAR(force[1], 0.8 * slope_r, 2e-15);
  EXPECT_NEAR(force[2], slope_z, 2e-15);
}

/// All three descriptions have the same orbit.
TEST(J2Satellite, DescriptionsAgree) {
  const double J2 = 0.05;
  const Shape<J2SatelliteShape> shape = satellite(J2);
  const Vector reduced = ReducedSteps<J2SatelliteShape>(gauss(8), 0.05, shape.parameters)(satellite_start(), 400);
  const Vector full =
      FullSteps<J2SatelliteShape>(gauss(8), 0.05, shape.parameters)(shape.unreduced(satellite_start()), 400);
  const Vector in_space = SpaceSteps(gauss(8), 0.05, {J2, 0.01})(start_in_space, 400);
  EXPECT_LT(largest(shape.reduced(full) - reduced), 1e-13);
  const double theta = reduced[4];
  const Eigen::Vector3d position(reduced[0] * std::cos(theta), reduced[0] * std::sin(theta), reduced[1]);
  EXPECT_LT(largest(in_space.head<3>() - position), 2e-13);
}

}  // namespace
}  // namespace polhode::test
