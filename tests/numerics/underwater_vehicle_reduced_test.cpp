// The body in an ideal fluid reduced to its momenta (polhode/system/underwater_vehicle_reduced.hpp): its motion and the
// crossings of its section against numbers that were computed elsewhere, its states as those of the body in space, and
// parameters that cannot be used.
#include "polhode/system/underwater_vehicle_reduced.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "catalog/conversion.hpp"
#include "numerics/body_subject.hpp"
#include "numerics/steps_of.hpp"
#include "polhode/method/collocation.hpp"
#include "polhode/method/constrained_collocation.hpp"
#include "polhode/system/underwater_vehicle.hpp"
#include "support/vehicle.hpp"

namespace polhode::test {
namespace {

using Gauss = StepsOf<Collocation<UnderwaterVehicleReduced, FlowStages>>;
using Lobatto = StepsOf<ConstrainedCollocation<UnderwaterVehicle>>;
using Parameters = std::vector<double>;

const SystemEntry& in_space() { return *find_system("underwater-vehicle"); }
const SystemEntry& reduced() { return *find_system("underwater-vehicle-reduced"); }

Parameters with(double c, double p) {
  Parameters all(std::begin(UnderwaterVehicleReduced::example_parameters),
                 std::end(UnderwaterVehicleReduced::example_parameters));
  all[Vehicle::weight_at] = c;
  all[UnderwaterVehicleReduced::momentum_at] = p;
  return all;
}
Gauss precise(double h, const Parameters& p) {
  return {CollocationOptions{.nodes = CollocationNodes::gauss, .stages = 8}, h, p};
}
/// (Pi, P/p) of numbers Pi, P.
State state_of(const double* pi, const double* P, double p) {
  State x(6);
  for (int i = 0; i < 3; ++i) {
    x[i] = pi[i];
    x[3 + i] = P[i] / p;
  }
  return x;
}

TEST(UnderwaterVehicleReduced, MovesAsTheBodyInSpace) {
  // Momenta of the neutral vehicle at the start, and p = |P|.
  const double pi[] = {.1962, .1071, .11725}, P[] = {.1234, -.9387, .11265};
  const double p = std::sqrt(P[0] * P[0] + P[1] * P[1] + P[2] * P[2]);
  const State start = state_of(pi, P, p), at_1 = precise(0.1, with(0, p))(start, 10),
              at_10 = precise(0.1, with(0, p))(at_1, 90);
  EXPECT_LT((at_1 - state_of(&vehicle_at_1[12], &vehicle_at_1[15], p)).norm(), 1e-14);
  EXPECT_LT((at_10 - state_of(&vehicle_at_10[12], &vehicle_at_10[15], p)).norm(), 2e-13);  // round-off, growing
  for (const VehicleOrbit& orbit : vehicle_orbits) {
    const State end = precise(0.1, with(0, 1))(state_of(orbit.at_0.data(), orbit.at_0.data() + 3, 1), 100);
    EXPECT_LT((end - state_of(orbit.at_10.data(), orbit.at_10.data() + 3, 1)).norm(), 2e-13);
  }
}

TEST(UnderwaterVehicleReduced, CrossesItsSectionWhereItShould) {
  const Parameters p = with(0, 1);
  for (const VehicleOrbit& orbit : vehicle_orbits) {
    double starts[max_chart_points * 6];
    ASSERT_EQ(UnderwaterVehicleReduced::chart_states(p.data(), 0.52, 0, 0, orbit.start[0], orbit.start[1], starts), 1);
    State x = Eigen::Map<State>(starts, 6);
    EXPECT_LT((x - state_of(orbit.at_0.data(), orbit.at_0.data() + 3, 1)).norm(), 2e-15);
    const double h = 0.1;
    const Gauss steps = precise(h, p);
    double t = 0;
    for (const VehicleCrossing& crossing : orbit.crossings) {
      State next = steps(x);
      while (!(x[5] < 0 && next[5] >= 0)) {
        x = next;
        next = steps(x);
        t += h;
      }
      // The part of the step after which Gamma3 = 0, by the secant method.
      double before = 0, at_before = x[5], part = h * x[5] / (x[5] - next[5]);
      State there = precise(part, p)(x);
      for (int k = 0; k < 8 && std::abs(there[5]) > 1e-17 && there[5] != at_before; ++k) {
        const double slope = (there[5] - at_before) / (part - before);
        before = part;
        at_before = there[5];
        part -= there[5] / slope;
        there = precise(part, p)(x);
      }
      // Round-off, which grows in the chaotic sea with e^(0.095 t), and in its passages faster.
      EXPECT_NEAR(t + part, crossing.t, 1e-11);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(there[i], crossing.pi[i], 3e-12);
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(there[3 + i], crossing.P[i], 3e-12);
      x = next;
      t += h;
    }
  }
}

TEST(UnderwaterVehicleReduced, ConservesWhatItSays) {
  Parameters of_revolution = with(0.3, -0.9), of_clebsch = with(0, 1.2);
  of_revolution[1] = of_revolution[0];
  of_revolution[Vehicle::mass_at + 1] = of_revolution[Vehicle::mass_at];
  for (int i = 0; i < 3; ++i) of_clebsch[Vehicle::mass_at + i] = 1 / (0.2 + 2 * of_clebsch[i]);
  const struct {
    Parameters p;
    std::vector<std::string> not_conserved;
  } rows[] = {{with(0, 1), {"pi_squared", "pi3", "clebsch"}},
              {with(0.3, 1), {"pi_squared", "pi3", "clebsch"}},
              {with(0, 0), {"pi3", "clebsch"}},
              {of_clebsch, {"pi_squared", "pi3"}},
              {of_revolution, {"pi_squared", "clebsch"}}};
  for (const auto& row : rows) {
    const BodySubject<UnderwaterVehicleReduced> subject(row.p);
    std::mt19937_64 random(43);
    const State x = subject.start(random, Momentum::hidden_constraint);
    for (int k = 0; k < UnderwaterVehicleReduced::n_invariants; ++k) {
      const std::string name = reduced().invariants[k].name;
      const bool is_conserved = std::ranges::find(row.not_conserved, name) == row.not_conserved.end();
      EXPECT_EQ(reduced().conserves(row.p.data(), x.data(), k), is_conserved) << name;
      const double change = std::abs(subject.invariant_gradient(k, x).dot(subject.flow(x)));
      if (is_conserved) {
        EXPECT_LT(change, 1e-15) << name;
      } else if (name != "clebsch" ||
                 !UnderwaterVehicleReduced::is_free(row.p.data())) {  // which has it in another form
        EXPECT_GT(change, 1e-4) << name;
      }
    }
  }
}

/// A state of the reduced body in space, turned about the vertical or, without a weight, in any way, and displaced.
State displaced(const Parameters& p, const State& reduced, std::mt19937_64& random) {
  State x(24);
  EXPECT_EQ((*Conversion::between(test::reduced(), in_space()))(p.data(), reduced.data(), x.data()), "");
  std::normal_distribution<double> normal;
  const Eigen::Vector3d axis = p[Vehicle::weight_at] == 0 ? Eigen::Vector3d(normal(random), normal(random), 1)
                                                          : Eigen::Vector3d(Eigen::Vector3d::UnitZ());
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(3 * normal(random), axis.normalized()).toRotationMatrix();
  for (const int first : {0, 12}) {
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rows(x.data() + first);
    rows = (turn * rows).eval();
    x.segment<3>(first + 9) = (turn * x.segment<3>(first + 9)).eval();
  }
  for (int i = 9; i < 12; ++i) x[i] += normal(random);
  return x;
}
State random_state(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  State x(6);
  for (double& value : x) value = 0.5 * normal(random);
  x.tail<3>().normalize();
  return x;
}

TEST(UnderwaterVehicleReduced, IsTheBodyInSpace) {
  // Energy and motion are the same in both descriptions, by methods of high order on each.
  std::mt19937_64 random(41);
  for (const Parameters& p : {with(0, 1.3), with(0, 0), with(0.4, 1.1), with(0.4, -0.8), with(0.4, 0)})
    for (int trial = 0; trial < 3; ++trial) {
      SCOPED_TRACE(::testing::PrintToString(p));
      const State x = random_state(random), space = displaced(p, x, random);
      const auto reduce = [&](const State& from) {
        State to(6);
        EXPECT_EQ((*Conversion::between(in_space(), reduced()))(p.data(), from.data(), to.data()), "");
        return to;
      };
      const bool is_free = UnderwaterVehicleReduced::is_free(p.data());
      if (!is_free) {  // whose Gamma may be any
        EXPECT_LT((reduce(space) - x).norm(), 2e-15 * 3);
      }
      EXPECT_NEAR(in_space().observe(p.data(), 24, space.data()), reduced().observe(p.data(), 6, x.data()), 4e-15);
      const Parameters of_space(p.begin(), p.end() - 1);
      const State end =
          Lobatto(CollocationOptions{.nodes = CollocationNodes::lobatto, .stages = 4}, 0.0125, of_space)(space, 80);
      const State expected = precise(0.1, p)(is_free ? reduce(space) : x, 10);
      EXPECT_LT((reduce(end) - expected).norm(), 1e-11);  // 80 steps of order 6
    }
}

TEST(UnderwaterVehicleReduced, IsRefusedForOtherMomenta) {
  std::mt19937_64 random(37);
  const Conversion conversion = *Conversion::between(in_space(), reduced());
  State to(6);
  const State x = random_state(random);
  State space = displaced(with(0.4, 1.1), x, random);
  EXPECT_EQ(conversion(with(0.4, 1.2).data(), space.data(), to.data()), "its momentum is 1.1, not p = 1.2");
  space[21] += 0.01;
  EXPECT_EQ(conversion(with(0.4, 1.1).data(), space.data(), to.data()),
            "its linear momentum is not vertical, as c != 0 requires");
  Parameters coupled = with(0.4, 1.1);
  coupled[Vehicle::coupling_at] = 0.01;
  space[21] = 0;
  EXPECT_EQ(conversion(coupled.data(), space.data(), to.data()), "coupling is not 0");
  EXPECT_EQ((*Conversion::between(reduced(), in_space()))(coupled.data(), x.data(), space.data()), "coupling is not 0");
  EXPECT_NEAR(*conversion.momentum(with(0.4, 0).data(), displaced(with(0.4, -0.8), x, random).data()), -0.8, 1e-15);
  EXPECT_NEAR(*conversion.momentum(with(0, 0).data(), displaced(with(0, 0.8), x, random).data()), 0.8, 1e-15);
}

TEST(UnderwaterVehicleReduced, RefusesWhatIsNoTop) {
  const auto problem = [](const Parameters& p) {
    const char* text = UnderwaterVehicleReduced::invalid_reason(p.data());
    return std::string(text ? text : "");
  };
  EXPECT_EQ(problem(with(0, 1)), "");
  EXPECT_EQ(problem(with(0.3, -1)), "");
  EXPECT_EQ(problem(with(0, -1)), "p must not be negative where c = 0: it is the length of P");
  Parameters coupled = with(0, 1);
  coupled[Vehicle::coupling_at + 8] = 1e-3;
  EXPECT_EQ(problem(coupled), "coupling must be 0: with it the torque depends on Pi, and the body is no top");
}

}  // namespace
}  // namespace polhode::test
