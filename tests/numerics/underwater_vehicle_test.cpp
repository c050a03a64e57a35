// The body in an ideal fluid in R^12 (polhode/system/underwater_vehicle.hpp): its motion against numbers that were
// computed elsewhere, what it conserves, and parameters that cannot be used. That its H is the Legendre transform of L,
// off the constraints too, is tested in papers/vehicle_hamiltonian_test.cpp.
#include "polhode/system/underwater_vehicle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "numerics/constrained_subject.hpp"
#include "numerics/steps_of.hpp"
#include "polhode/method/constrained_collocation.hpp"
#include "support/vehicle.hpp"

namespace polhode::test {
namespace {

using Lobatto = StepsOf<ConstrainedCollocation<UnderwaterVehicle>>;
using Parameters = std::vector<double>;

const Parameters weighted(std::begin(UnderwaterVehicle::example_parameters),
                          std::end(UnderwaterVehicle::example_parameters));
/// The body of the example with D = 0, c = 0.
Parameters neutral() {
  Parameters p = weighted;
  std::fill(p.begin() + Vehicle::coupling_at, p.begin() + Vehicle::chi_at, 0);
  return p;
}
State example(const Parameters& p) {
  State x(24);
  UnderwaterVehicle::example_state(p.data(), x.data());
  return x;
}
/// R by rows, x, Pi, P.
VehicleState seen(const Parameters& p, const State& x) {
  VehicleState all(x.data(), x.data() + 12);
  const SystemEntry& system = *find_system("underwater-vehicle");
  for (const char* name : {"pi1", "pi2", "pi3", "impulse1", "impulse2", "impulse3"})
    all.push_back(system.observe(p.data(), system.find_observable(name), x.data()));
  return all;
}
double distance(const VehicleState& a, const VehicleState& b) {
  double most = 0;
  for (std::size_t k = 0; k < b.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}
Scheme lobatto_of(int stages) { return CollocationOptions{.nodes = CollocationNodes::lobatto, .stages = stages}; }

TEST(UnderwaterVehicle, HasTheEnergyAndMomentaOfItsRates) {
  // Sums of decimal numbers, by hand.
  const auto energy = [](const Parameters& p) {
    return find_system("underwater-vehicle")->observe(p.data(), 24, example(p).data());
  };
  EXPECT_NEAR(energy(neutral()), .462405, 1e-15);
  EXPECT_NEAR(energy(weighted), .202605, 1e-15);
  const VehicleState free = seen(neutral(), example(neutral())), heavy = seen(weighted, example(weighted));
  EXPECT_LT(distance({free.begin() + 12, free.end()}, {.1962, .1071, .11725, .1234, -.9387, .11265}), 1e-15);
  EXPECT_LT(distance({heavy.begin() + 12, heavy.end()}, {.1752, .1041, .11725, .1144, -.9117, .11265}), 1e-15);
}

TEST(UnderwaterVehicle, MovesAsItsReducedEquationsSay) {
  const struct {
    Parameters p;
    const VehicleState &at_1, &at_10;
  } rows[] = {{neutral(), vehicle_at_1, vehicle_at_10}, {weighted, weighted_vehicle_at_1, weighted_vehicle_at_10}};
  for (const auto& row : rows) {
    // Order 6: the errors of long steps fall by 2^6 with the half.
    double previous = 0;
    for (const int steps : {8, 16, 32}) {
      const double error =
          distance(seen(row.p, Lobatto(lobatto_of(4), 1. / steps, row.p)(example(row.p), steps)), row.at_1);
      if (previous > 0) {
        EXPECT_NEAR(std::log2(previous / error), 6, 0.2) << steps << " steps: " << error;
      }
      previous = error;
    }
    // In short ones round-off is left, which grows with the motion.
    const Lobatto precise(lobatto_of(4), 0.0125, row.p);
    const State at_1 = precise(example(row.p), 80), at_10 = precise(at_1, 720);
    EXPECT_LT(distance(seen(row.p, at_1), row.at_1), 1e-12);
    EXPECT_LT(distance(seen(row.p, at_10), row.at_10), 1e-11);
  }
}

TEST(UnderwaterVehicle, GoesStraightAlongItsAxes) {
  // P = p e_i, Pi = 0: x = t p/M_i R e_i, in a turned frame.
  const Parameters p = neutral();
  for (int axis = 0; axis < 3; ++axis) {
    Vec<double, 3> v{0.0, 0.0, 0.0};
    v[axis] = 1 / p[Vehicle::mass_at + axis];
    const Vec<double, 9> R{0.8, 0.0, 0.6, 0.0, 1.0, 0.0, -0.6, 0.0, 0.8};
    State x(24);
    UnderwaterVehiclePhysics::motion(p.data(), R, {0.0, 0.0, 0.0}, v, x.data());
    const State end = Lobatto(lobatto_of(2), 0.05, p)(x, 20);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(end[9 + i], v[axis] * R[3 * i + axis], 4e-15);  // growing with e^t
    EXPECT_LT((end.head(9) - x.head(9)).norm(), 4e-15);
  }
}

/// 1/M_i = a + b J_i.
Parameters of_clebsch() {
  Parameters p = neutral();
  for (int i = 0; i < 3; ++i) p[Vehicle::mass_at + i] = 1 / (0.2 + 2 * p[i]);
  return p;
}
Parameters of_revolution(double c) {
  Parameters p = neutral();
  p[1] = p[0];
  p[Vehicle::mass_at + 1] = p[Vehicle::mass_at];
  p[Vehicle::weight_at] = c;
  return p;
}

TEST(UnderwaterVehicle, ConservesWhatItSays) {
  // The rates of all integrals along the flow, at random states: round-off where they are conserved.
  Parameters coupled = neutral(), turned = of_revolution(0), tilted = of_revolution(0.3);
  coupled[Vehicle::coupling_at + 1] = 0.03;
  turned[Vehicle::mass_at + 1] *= 1.1;                              // a body of revolution but for its mass
  std::swap(tilted[Vehicle::chi_at], tilted[Vehicle::chi_at + 2]);  // or for its weight
  const struct {
    Parameters p;
    std::vector<std::string> not_conserved;
  } rows[] = {
      {neutral(), {"pi3", "clebsch"}},
      {coupled, {"pi3", "clebsch"}},
      {weighted, {"angular_momentum_x", "angular_momentum_y", "pi3", "clebsch"}},
      {of_clebsch(), {"pi3"}},
      {of_revolution(0.3), {"angular_momentum_x", "angular_momentum_y", "clebsch"}},
      {turned, {"pi3", "clebsch"}},
      {tilted, {"angular_momentum_x", "angular_momentum_y", "pi3", "clebsch"}},
      {of_revolution(0), {}},  // Clebsch's integral with b from J1 and J3
  };
  const SystemEntry& system = *find_system("underwater-vehicle");
  for (const auto& row : rows) {
    const ConstrainedSubject<UnderwaterVehicle> subject(row.p);
    std::mt19937_64 random(47);
    const State x = subject.start(random, Momentum::hidden_constraint), rate = subject.flow(x);
    for (int k = 0; k + 1 < static_cast<int>(system.invariants.size()); ++k) {  // the last is the constraint
      const std::string name = system.invariants[k].name;
      const bool is_conserved = std::ranges::find(row.not_conserved, name) == row.not_conserved.end();
      EXPECT_EQ(UnderwaterVehicle::conserves(row.p.data(), x.data(), k), is_conserved) << name;
      const double change = std::abs(subject.invariant_gradient(k, x).dot(rate));
      if (is_conserved)
        EXPECT_LT(change, 1e-14) << name;
      else
        EXPECT_GT(change, 1e-5) << name;
    }
  }
}

TEST(UnderwaterVehicle, RefusesMassesThatAreNotPositive) {
  const auto problem = [](int place, double value) {
    Parameters p = neutral();
    p[place] = value;
    const char* text = UnderwaterVehicle::invalid_reason(p.data());
    return std::string(text ? text : "");
  };
  EXPECT_EQ(problem(0, 0.218), "");
  EXPECT_EQ(problem(0, 0.692), "J1 must be below J2 + J3: the mass matrix of R would not be positive definite");
  EXPECT_EQ(problem(1, 0.553), "J2 must be below J3 + J1: the mass matrix of R would not be positive definite");
  EXPECT_EQ(problem(2, 0.6), "J3 must be below J1 + J2: the mass matrix of R would not be positive definite");
  // D = delta e_1 e_2^T: K_22 = M2 - (1/d2 + 1/d3) delta^2/4 with d = (., .098, .12).
  const double most = std::sqrt(4 * 1.341 / (1 / .098 + 1 / .12));
  EXPECT_EQ(problem(Vehicle::coupling_at + 1, 0.999 * most), "");
  EXPECT_EQ(problem(Vehicle::coupling_at + 1, 1.001 * most),
            "the mass matrix is not positive definite: coupling is too large for inertia and mass");
}

}  // namespace
}  // namespace polhode::test
