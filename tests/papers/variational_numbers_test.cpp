// Steps of the variational integrators (variational_step.hpp) against numbers that were computed elsewhere.
#include "papers/variational_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "numerics/dense.hpp"
#include "papers/variational_subject.hpp"
#include "papers/variational_vehicle_numbers.hpp"

namespace polhode::test {
namespace {

// Every step solves its equations to 1e-16 of numbers of at most 2, with derivatives of rounded layers: five steps were
// 1.6e-15 off at most.
constexpr double five_steps = 1e-14;

double off(const std::vector<double>& expected, std::initializer_list<Eigen::VectorXd> parts) {
  double most = 0;
  std::size_t k = 0;
  for (const Eigen::VectorXd& part : parts)
    for (const double x : part) most = std::max(most, std::abs(x - expected.at(k++)));
  EXPECT_EQ(k, expected.size());
  return most;
}

void expect_numbers(const VariationalCase& of, const std::vector<VariationalNumbers>& rows) {
  for (const VariationalNumbers& row : rows) {
    SCOPED_TRACE(of.name + " by " + row.layer);
    const TableIntegrator integrator(of, row.layer, row.bias, 0.1);
    const LegendrePair at = integrator->legendre({of.q, of.v});
    EXPECT_LT(off(row.legendre, {at.minus.q, at.minus.p, at.plus.q, at.plus.p}), five_steps);
    CovectorPoint x = covector_start(of);
    for (int n = 1; n <= 5; ++n) {
      const VelocityPoint w = integrator->solve_for(x);
      x = integrator->legendre(w).plus;
      if (n != 1 && n != 5) continue;
      EXPECT_LT(off(n == 1 ? row.first : row.fifth, {w.q, w.v, x.q, x.p}), five_steps);
    }
  }
}

TEST(VariationalNumbers, StepsOfTheSphericalPendulum) {
  expect_numbers(spherical_pendulum(), spherical_pendulum_numbers);
}
TEST(VariationalNumbers, StepsOfTheDoublePendulum) {
  expect_numbers(double_pendulum_by_links(), double_pendulum_numbers);
}

TEST(VariationalNumbers, StepsOfTheVehicle) {
  const VariationalCase of = underwater_vehicle(Centres::coincide);
  for (const VehicleNumbers& row : vehicle_numbers) {
    const TableIntegrator integrator(of, row.layer, row.bias, 0.1);
    const CovectorPoint x = integrator->steps(covector_start(of), 5);
    EXPECT_LT(std::max(off(row.q, {x.q}), off(row.p, {x.p})), 1e-13) << row.layer << row.bias;  // their digits
  }
}

TEST(VariationalNumbers, ErrorsOfTheVehicleWithAWeight) {
  const VariationalCase of = underwater_vehicle(Centres::apart);
  for (const VehicleErrors& row : weighted_vehicle_errors) {
    SCOPED_TRACE(row.layer);
    EXPECT_NEAR(error_at_1(of, row.layer, row.bias, 10), row.coarse, 1e-4 * row.coarse + 1e-13) << row.bias;
    if (layer_table(row.layer).order < 4) continue;  // twenty steps take long
    EXPECT_NEAR(error_at_1(of, row.layer, row.bias, 20), row.fine, 1e-4 * row.fine + 1e-13) << row.bias;
  }
}

/// The derivative of a map of the angle and its momentum, by differences of the fourth order with steps of 1e-3.
template <class Map>
double determinant_by_differences(const Map& map, const Eigen::Vector2d& z) {
  Eigen::Matrix2d derivative;
  for (int k = 0; k < 2; ++k) {
    const Eigen::Vector2d e = 2e-3 * Eigen::Vector2d::Unit(k);
    derivative.col(k) =
        (45. * (map(z + e) - map(z - e)) - 9. * (map(z + 2 * e) - map(z - 2 * e)) + (map(z + 3 * e) - map(z - 3 * e))) /
        (60. * 2e-3);
  }
  return derivative.determinant();
}

TEST(VariationalNumbers, PlanarPendulumKeepsAreasWhereItsLayerDoesNot) {
  const VariationalCase of = planar_pendulum();
  for (const PlanarNumbers& row : planar_pendulum_numbers) {
    const TableIntegrator integrator(of, row.layer, row.bias, 0.3);
    const auto lifted = [](const Eigen::Vector2d& z) {
      return CovectorPoint{Eigen::Vector2d(std::sin(z[0]), -std::cos(z[0])),
                           Eigen::Vector2d(z[1] * std::cos(z[0]), z[1] * std::sin(z[0]))};
    };
    const auto angles = [](const CovectorPoint& x) {
      return Eigen::Vector2d(std::atan2(x.q[0], -x.q[1]), x.p[1] * x.q[0] - x.p[0] * x.q[1]);
    };
    const auto step = [&](const Eigen::Vector2d& z) { return angles(integrator->step(lifted(z))); };
    const auto layer_step = [&](const Eigen::Vector2d& z) {
      const VelocityPoint w = velocity_of(*of.problem, lifted(z));
      return angles(covector_of(*of.problem, projected_layer_step(*of.problem, integrator.layer(), 0.3, w)));
    };
    const Eigen::Vector2d start(0.6435011087932844, 0.5), end = step(start);
    EXPECT_NEAR(end[0], row.angle, 2e-15) << row.layer;  // numbers of 15 digits
    EXPECT_NEAR(end[1], row.momentum, 2e-15) << row.layer;
    // Differences of the sixth order: e^6 = 6e-17, rounding over e = 1e-13.
    EXPECT_NEAR(determinant_by_differences(step, start), 1, 1e-12) << row.layer;
    EXPECT_NEAR(determinant_by_differences(layer_step, start) - 1, row.layer_determinant, 1e-12) << row.layer;
  }
}

}  // namespace
}  // namespace polhode::test
