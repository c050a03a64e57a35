// The program's variational integrators (method/variational_map.hpp) against numbers that were computed elsewhere and
// against the dense reference (variational_step.hpp), which has other equations, derivatives and bases.
#include "polhode/method/variational_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "papers/variational_numbers.hpp"
#include "papers/variational_vehicle_numbers.hpp"
#include "papers/variational_vehicles.hpp"
#include "polhode/system/heavy_top_matrix.hpp"
#include "polhode/system/magnetic_pendulum.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {
namespace {

constexpr double h = 0.1;

/// Points after each of `count` steps.
template <class System, std::size_t table>
std::vector<CovectorPoint> steps_of(const VariationalSubject<System>& subject, double bias, int count) {
  std::vector<CovectorPoint> points;
  visit_steps<System, table>(subject, bias, h, count, [&](const CovectorPoint& x) { points.push_back(x); });
  return points;
}

const VariationalSubject<SphericalPendulum> pendulum{spherical_pendulum(), {1, 1, 1}};
const VariationalSubject<DoubleSphericalPendulum> two_pendula{double_pendulum_by_links(), {1, 2, 1, 0.8, 1}};
const VariationalSubject<MagneticPendulum> in_a_field{magnetic_pendulum(), {1, 1, 0.3, 0.4}};
const VariationalSubject<HeavyTopMatrix> top{top_by_matrices(), {1.5, 1.44, 0.94, 0, 0, 1, 1}};

// The equations are solved to 32 units in the last place in each step; five steps were 2e-15 off at most.
constexpr double five_steps = 1e-14;

template <class System, std::size_t... table>
void expect_numbers(const VariationalSubject<System>& subject, const std::vector<VariationalNumbers>& rows,
                    std::index_sequence<table...> tables) {
  int compared = 0;
  for (const VariationalNumbers& row : rows)
    for_tables(tables, [&]<std::size_t index>(const char* name) {
      if (row.layer != name) return;
      SCOPED_TRACE(row.layer + " with bias " + std::to_string(row.bias));
      const std::vector<CovectorPoint> points = steps_of<System, index>(subject, row.bias, 5);
      const auto expect = [&](const std::vector<double>& numbers, const CovectorPoint& point) {
        const Eigen::Map<const Eigen::VectorXd> all(numbers.data(), 4 * System::N);  // w, then q and p
        EXPECT_LT(distance_of(point, {all.segment(2 * System::N, System::N), all.tail(System::N)}), five_steps);
      };
      expect(row.first, points.front());
      expect(row.fifth, points.back());
      ++compared;
    });
  EXPECT_EQ(compared, rows.size());
}

TEST(VariationalMap, HasTheNumbersOfTheSphericalPendulum) {
  expect_numbers(pendulum, spherical_pendulum_numbers, std::index_sequence<0, 1, 4>());
}
TEST(VariationalMap, HasTheNumbersOfTheDoublePendulum) {
  expect_numbers(two_pendula, double_pendulum_numbers, std::index_sequence<0, 1>());
}

/// At rest and nearly so the momenta are round-off of positions, whose directions are none of the axes.
TEST(VariationalMap, FollowsATopThatHangs) {
  using Map = Variational<HeavyTopMatrix, polhode::DefaultTable>;
  const double angle = std::atan2(0.6, 0.8) - std::acos(-1.0), c = std::cos(angle), s = std::sin(angle);
  const double parameters[] = {1.5, 1.44, 0.94, 0.6, 0, 0.8, 1};
  const HeavyTopMatrix::Model<double> model(parameters);
  const Vec<double, 9> hanging{c, 0, -s, 0, 1, 0, s, 0, c}, push{0.3, -0.7, 0.2, 0.9, 0.1, -0.4, 0.5, 0.6, -0.8};
  for (const double bias : {0., -0.5, -0.3})
    for (const double speed : {0., 1e-12, 1e-8, 1e-5, 1e-3, 1e-2, 0.1})
      for (const double step_length : {0.05, 0.2}) {
        const VariationalOptions options{bias};
        const Map::Constants<double> constants(model, options, {}, step_length);
        const Map::Step<double> step(model, options, {}, constants, 2);
        auto x = HeavyTopMatrix::state(hanging, model.to_hidden_constraint(hanging, speed * push));
        const double energy = model.energy(x);
        for (int n = 0; n < 300; ++n) ASSERT_TRUE(step(x, x, true)) << bias << ", " << speed << ", step " << n;
        EXPECT_NEAR(model.energy(x), energy, 1e-3 * speed * speed + 1e-13) << bias << ", " << speed;
      }
}

/// Numbers of 13 digits, in which two solvers differed by 2.3e-14.
TEST(VariationalMap, HasTheNumbersOfTheVehicle) {
  int compared = 0;
  for (const VehicleNumbers& row : vehicle_numbers)
    for_tables(std::make_index_sequence<6>(), [&]<std::size_t index>(const char* name) {
      if (row.layer != name) return;
      const CovectorPoint expected{Eigen::Map<const Eigen::VectorXd>(row.q.data(), 12),
                                   Eigen::Map<const Eigen::VectorXd>(row.p.data(), 12)};
      EXPECT_LT(distance_of((steps_of<UnderwaterVehicle, index>(free_vehicle, row.bias, 5).back()), expected), 5e-14)
          << row.layer << ", " << row.bias;
      ++compared;
    });
  EXPECT_EQ(compared, vehicle_numbers.size());
}

/// Compares steps with the reference's, for segments that begin, end and are centred at their states, and others.
template <class System, std::size_t... table>
void expect_reference(const VariationalSubject<System>& subject, double tolerance,
                      std::index_sequence<table...> tables) {
  for_tables(tables, [&]<std::size_t index>(const char* name) {
    for (const double bias : {0., -0.5, -1., -0.3}) {
      SCOPED_TRACE(subject.of.name + " by " + name + " with bias " + std::to_string(bias));
      const TableIntegrator reference(subject.of, name, bias, h);
      const CovectorPoint expected = reference->steps(covector_start(subject.of), 5);
      EXPECT_LT(distance_of((steps_of<System, index>(subject, bias, 5).back()), expected), tolerance);
    }
  });
}

TEST(VariationalMap, IsTheReferenceByEveryTable) {
  expect_reference(pendulum, five_steps, std::make_index_sequence<std::size(polhode::explicit_tables)>());
}
TEST(VariationalMap, IsTheReferenceForTwoPendula) {
  expect_reference(two_pendula, five_steps, std::index_sequence<3, 4>());
}
TEST(VariationalMap, IsTheReferenceWithAMassAndAFieldThatDependOnThePosition) {
  expect_reference(in_a_field, five_steps, std::index_sequence<0, 4>());
}
TEST(VariationalMap, IsTheReferenceForATop) { expect_reference(top, five_steps, std::index_sequence<0, 4>()); }
TEST(VariationalMap, IsTheReferenceForABodyInAFluid) {
  expect_reference(weighted_vehicle, five_steps, std::index_sequence<0, 4>());
}

}  // namespace
}  // namespace polhode::test
