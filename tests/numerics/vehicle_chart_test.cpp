// States of the reduced vehicle from points of a section (polhode/system/vehicle_chart.hpp): they are those of the
// formula where it holds, and elsewhere states of the section, and all of them, which a scan shows.
#include "polhode/system/vehicle_chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "polhode/system/underwater_vehicle_reduced.hpp"

namespace polhode::test {
namespace {

using Parameters = std::vector<double>;

Parameters with(double c, const Vec<double, 3>& chi, double p) {
  Parameters all(std::begin(UnderwaterVehicleReduced::example_parameters),
                 std::end(UnderwaterVehicleReduced::example_parameters));
  all[Vehicle::weight_at] = c;
  std::copy_n(chi.v, 3, all.begin() + Vehicle::chi_at);
  all[UnderwaterVehicleReduced::momentum_at] = p;
  return all;
}

/// A point of the plane, and what all states over it have in common.
struct Place {
  Parameters p;
  double energy, momentum, pi2, pi3;

  std::vector<Vec<double, 6>> states(int side) const {
    double x[max_chart_points * 6];
    std::vector<Vec<double, 6>> all(vehicle_chart_states(p.data(), energy, momentum, side, pi2, pi3, x));
    for (std::size_t k = 0; k < all.size(); ++k) std::copy_n(x + 6 * k, 6, all[k].v);
    return all;
  }
};

TEST(VehicleChart, HasTheStatesOfTheFormula) {
  // X^2/J1 + X (a + Pi2^2/J1 + p^2/M2) + Pi2^2 (a + p^2/M1) = 0 for X = Pi1^2, and P across (Pi1, Pi2).
  std::mt19937_64 random(61);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int one = 0, two = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double p = 1 + 0.3 * uniform(random), E = 0.6 + 0.1 * uniform(random);
    const Place place{with(trial % 2 ? 0.2 : 0, {0.0, 0.0, -1.0}, p), E, 0, 0.6 * uniform(random),
                      0.6 * uniform(random)};
    const double *J = place.p.data(), *M = J + Vehicle::mass_at, square = place.pi2 * place.pi2;
    const double a = square / J[1] + place.pi3 * place.pi3 / J[2] - 2 * E;
    const double half = J[0] * (a + square / J[0] + p * p / M[1]) / 2, last = J[0] * square * (a + p * p / M[0]);
    std::vector<double> roots;  // falling
    if (half * half > last)
      for (const double sign : {1, -1})
        if (const double X = -half + sign * std::sqrt(half * half - last); X > 0) roots.push_back(X);
    // Close to where two states merge or one reaches the rim both are a matter of round-off.
    if (std::abs(half * half - last) < 1e-8 || std::abs(last) < 1e-8) continue;
    (roots.size() == 1 ? one : two) += !roots.empty();
    for (const int side : {0, 1}) {
      const auto found = place.states(side);
      ASSERT_EQ(found.size(), roots.size());
      for (std::size_t k = 0; k < roots.size(); ++k) {
        const double pi1 = (side == 0 ? 1 : -1) * std::sqrt(roots[k]), size = std::sqrt(roots[k] + square);
        EXPECT_NEAR(found[k][0], pi1, 1e-11);  // 1e-16 over the distance of the roots
        EXPECT_NEAR(found[k][3], place.pi2 / size, 1e-11);
        EXPECT_NEAR(found[k][4], -pi1 / size, 1e-11);
        EXPECT_EQ(found[k][1], place.pi2);
        EXPECT_EQ(found[k][2], place.pi3);
        EXPECT_EQ(found[k][5], 0);
      }
    }
  }
  EXPECT_GT(one, 2000);
  EXPECT_GT(two, 50);
}

TEST(VehicleChart, HasAsManyStartsOfAGridAsCountedElsewhere) {
  // Centres of 26 x 26 cells of the box |Pi_i| < sqrt(2 E J_i) at p = 1.
  for (const auto& [E, count] : {std::pair{0.5, 100}, {0.52, 124}}) {
    int found = 0;
    Place place{with(0, {0.0, 0.0, -1.0}, 1), E, 0, 0, 0};
    for (int i = 0; i < 26; ++i)
      for (int j = 0; j < 26; ++j) {
        place.pi2 = std::sqrt(2 * E * place.p[1]) * ((2 * i + 1) / 26. - 1);
        place.pi3 = std::sqrt(2 * E * place.p[2]) * ((2 * j + 1) / 26. - 1);
        found += !place.states(0).empty();
      }
    EXPECT_EQ(found, count) << E;
  }
}

TEST(VehicleChart, HasAllStatesOfTheSection) {
  // For any direction of chi and any Pi.Gamma: Gamma = (cos t, sin t, 0), Pi1 from the energy, and the momentum that is
  // left changes its sign at a state.
  std::mt19937_64 random(67);
  std::normal_distribution<double> normal;
  int states = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Vec<double, 3> chi{normal(random), normal(random), normal(random)};
    chi = (1 / std::sqrt(dot(chi, chi))) * chi;
    const Place place{with(0.2 * normal(random), chi, 1 + 0.3 * normal(random)), 0.7, 0.1 * normal(random),
                      0.25 * normal(random), 0.25 * normal(random)};
    const UnderwaterVehicleReduced::Body<double> body(place.p.data());
    int expected[2] = {};
    for (const int side : {0, 1}) {
      const double sign = side == 0 ? 1 : -1;
      constexpr int points = 20000;
      double last = 0;
      bool was_inside = false;
      for (int n = 0; n <= points; ++n) {
        const double t = 2 * std::numbers::pi * (n + 0.3) / points;
        const Vec<double, 3> gamma{std::cos(t), std::sin(t), 0.0}, flat{0.0, place.pi2, place.pi3};
        const double squared = 2 * (place.energy - body.energy(flat, gamma)) * body.inertia[0];
        const double pi1 = sign * std::sqrt(std::max(0.0, squared));
        const double left = pi1 * gamma[0] + place.pi2 * gamma[1] - place.momentum;
        const double rising = gamma[0] * place.pi2 * body.inverse_inertia[1] - gamma[1] * pi1 * body.inverse_inertia[0];
        // Where one end is beyond the rim, with the value there.
        if (n > 0 && rising > 0 && (left < 0) != (last < 0) && (squared > 0 || was_inside)) ++expected[side];
        last = left;
        was_inside = squared > 0;
      }
    }
    for (const int side : {0, 1}) {
      const auto found = place.states(side);
      EXPECT_EQ(found.size(), expected[side]) << "trial " << trial << ", side " << side;
      states += static_cast<int>(found.size());
      for (const Vec<double, 6>& x : found) {
        const Vec<double, 3> pi{x[0], x[1], x[2]}, gamma{x[3], x[4], x[5]};
        // The terms are about 1.
        EXPECT_NEAR(body.energy(pi, gamma), place.energy, 2e-15);
        EXPECT_NEAR(dot(gamma, gamma), 1, 1e-15);
        EXPECT_NEAR(dot(pi, gamma), place.momentum, 1e-15);
        EXPECT_EQ(std::signbit(x[0]), side == 1);
        EXPECT_GT(gamma[0] * pi[1] * body.inverse_inertia[1] - gamma[1] * pi[0] * body.inverse_inertia[0], 0);
      }
    }
  }
  EXPECT_GT(states, 200);
}

TEST(VehicleChart, KnowsItsRange) {
  // p = 1, without a weight: V is between 1/(2 M2) and 1/(2 M1) on the circle.
  const Parameters p = with(0, {0.0, 0.0, -1.0}, 1);
  const ChartRange range = vehicle_chart_range(p.data(), 0.52);
  EXPECT_NEAR(range.least_energy, 0.5 / 1.341, 1e-15);
  for (const int i : {0, 1}) EXPECT_NEAR(range.half_axes[i], std::sqrt(2 * (0.52 - 0.5 / 1.341) * p[1 + i]), 1e-15);
  // Pi along (J1 Gamma1, J2 Gamma2): the larger of both axes, 2 (E - V) J.
  EXPECT_NEAR(range.most_momentum, std::sqrt(2 * (0.52 - 0.5 / 1.341) * p[1]), 1e-14);
}

}  // namespace
}  // namespace polhode::test
