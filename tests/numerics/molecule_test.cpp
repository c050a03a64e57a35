// Molecules with fixed bonds: what a step keeps, rigid water against the rigid body, chains against their own limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "numerics/support.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/system/molecule_chain.hpp"
#include "polhode/system/molecule_water.hpp"
#include "system/initial_point.hpp"

namespace polhode::test {
namespace {

template <class System>
using MoleculeRattle = BoundMethod<RattleMethod, ConstrainedMotion<System, NewtonSecantSolver>>;
template <class System>
using StateOf = typename System::template State<double>;
template <class System>
using ModelOf = typename System::template Model<double>;

template <class System>
const double* parameters() {
  return System::example_parameters.data();
}

/// The example with its atoms' velocities changed by up to `heat`, on the constraints.
template <class System>
StateOf<System> warm_start(double heat, const char** problem = nullptr) {
  StateOf<System> x;
  System::example_state(parameters<System>(), x.v);
  for (int k = 0; k < System::N; ++k)
    x[System::N + k] += parameters<System>()[k / 3] * heat * std::sin(7.0 * k * k + 1);
  const char* found = InitialPoint<System>(parameters<System>()).prepare(Momentum::hidden_constraint, x.v).problem;
  if (problem) *problem = found;
  return x;
}

/// Calls watch(x) after each of the steps; false where one is not valid.
template <class System, class Watch>
[[gnu::noinline]] bool integrate(StateOf<System>& x, double h, int steps, const Watch& watch) {
  const ModelOf<System> model(parameters<System>());
  const typename MoleculeRattle<System>::template Step<double> step(
      model, h, MoleculeRattle<System>::template nominal_sweeps<double>(parameters<System>(), h));
  for (int n = 0; n < steps; ++n) {
    if (!step(x, x, true)) return false;
    watch(x);
  }
  return true;
}

template <class System>
[[gnu::noinline]] double value(int invariant, const StateOf<System>& x) {
  return ModelOf<System>(parameters<System>()).invariant(invariant, x);
}
template <class System>
[[gnu::noinline]] double observed(int observable, const StateOf<System>& x) {
  return ModelOf<System>(parameters<System>()).observe(observable, x);
}

/// Largest | |q_i - q_j| / d - 1 | over the bonds.
template <class System>
double bond_error(const double* p, const StateOf<System>& x) {
  double worst = 0;
  for (int b = 0; b < System::D; ++b) {
    const auto [i, j] = System::bonds[b];
    const double length = std::hypot(x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1], x[3 * i + 2] - x[3 * j + 2]);
    worst = std::max(worst, std::abs(length / p[System::atoms + b] - 1));
  }
  return worst;
}

template <class System>
class Molecules : public ::testing::Test {};
using AllMolecules =
    ::testing::Types<MoleculeWater, MoleculeChain<4>, MoleculeRigidAngleChain<4>, MoleculeChain<6>, MoleculeChain<8>>;
TYPED_TEST_SUITE(Molecules, AllMolecules);

TYPED_TEST(Molecules, ExampleStateIsOnTheConstraintsWhateverTheLengths) {
  using System = TypeParam;
  for (const double scale : {1.0, 10.0}) {
    auto p = System::example_parameters;
    for (int b = 0; b < System::D; ++b) p[System::atoms + b] *= scale * (1 + 0.02 * b);
    StateOf<System> x;
    System::example_state(p.data(), x.v);
    // Distances of neighbours made right one after the other until nothing changes: some units in the last place.
    EXPECT_LT(bond_error<System>(p.data(), x), 1e-14);
    const ModelOf<System> model(p.data());
    const auto q = System::position(x), v = model.velocity(System::momentum(x));
    const auto rate = model.push(q, v);
    for (int b = 0; b < System::D; ++b) EXPECT_NEAR(rate[b], 0, 1e-15 * std::sqrt(dot(v, v)) * scale);
    EXPECT_GT(dot(v, v), 0);
  }
}

TYPED_TEST(Molecules, KeepMomentumAngularMomentumAndBonds) {
  using System = TypeParam;
  StateOf<System> x = warm_start<System>(0.3);
  const StateOf<System> start = x;
  double worst[8] = {}, bonds = 0, momentum = 0, angular = 0;
  for (int i = 1; i <= 6; ++i) (i <= 3 ? momentum : angular) += std::abs(value<System>(i, start));
  int n = 0;
  ASSERT_TRUE(integrate<System>(x, System::example_step, 2000, [&](const auto& at) {
    if (++n % 20 != 0) return;
    bonds = std::max(bonds, bond_error<System>(parameters<System>(), at));
    for (int i = 1; i <= 6; ++i)
      worst[i] = std::max(worst[i], std::abs(value<System>(i, at) - value<System>(i, start)));
  }));
  // Rounding of some units in the last place of the atoms' terms, 1e-15, in each of 2000 steps: 45 at random. The terms
  // are larger than their sum.
  for (int i = 1; i <= 3; ++i) EXPECT_LT(worst[i], 2e-14 * momentum) << i;
  for (int i = 4; i <= 6; ++i) EXPECT_LT(worst[i], 3e-13 * angular) << i;
  // Of positions up to 2 nm, rounded to 2e-16 of that, beside bonds of 0.1 nm.
  EXPECT_LT(bonds, 2e-14);
  double moved = 0;
  for (int k = 0; k < System::N; ++k) moved = std::max(moved, std::abs(x[k] - start[k]));
  EXPECT_GT(moved, 0.1);
}

/// Water whose centre of mass is at rest at the origin.
StateOf<MoleculeWater> water_at_rest() {
  StateOf<MoleculeWater> x = warm_start<MoleculeWater>(0);
  const double* m = parameters<MoleculeWater>();
  for (const int first : {0, 9})
    for (int k = 0; k < 3; ++k) {
      double sum = 0;
      for (int i = 0; i < 3; ++i) sum += x[first + 3 * i + k] * (first == 0 ? m[i] : 1);
      for (int i = 0; i < 3; ++i) x[first + 3 * i + k] -= first == 0 ? sum / 18 : sum * m[i] / 18;
    }
  return x;
}
constexpr int water_dim = MoleculeWater::dim;

TEST(Water, KeepsItsBondsToRoundOffOver100000Steps) {
  StateOf<MoleculeWater> x = water_at_rest();
  const double energy = value<MoleculeWater>(0, x), angular = std::sqrt(0.0394 * 0.0394 + 0.24 * 0.24);
  std::array<double, 7> start{};
  for (int i = 1; i <= 6; ++i) start[i] = value<MoleculeWater>(i, x);
  double bonds = 0, energy_change = 0, momentum = 0, angular_change = 0;
  int n = 0;
  ASSERT_TRUE(integrate<MoleculeWater>(x, 0.002, 100000, [&](const auto& at) {
    bonds = std::max(bonds, bond_error<MoleculeWater>(parameters<MoleculeWater>(), at));
    if (++n % 100 != 0) return;
    energy_change = std::max(energy_change, std::abs(value<MoleculeWater>(0, at) - energy));
    for (int i = 1; i <= 3; ++i) momentum = std::max(momentum, std::abs(value<MoleculeWater>(i, at)));
    for (int i = 4; i <= 6; ++i)
      angular_change = std::max(angular_change, std::abs(value<MoleculeWater>(i, at) - start[i]));
  }));
  EXPECT_LT(bonds, 4e-15);  // 6e-16 was measured: the step ends on the constraints, so that nothing adds up
  EXPECT_GT(bonds, 0);
  // Random walks of 10^5 roundings, each of 1e-16 of momenta of size 2 and an angular momentum of 0.3.
  EXPECT_LT(momentum, 4e-13);
  EXPECT_LT(angular_change, 2e-13 * angular);
  // Free, RATTLE is the discrete Moser-Veselov map, which keeps the energy too (MS Theorem 6).
  EXPECT_LT(energy_change, 1e-12 * energy);
}

/// Principal moments about H-H, the bisector and the normal, from the geometry.
std::array<double, 3> water_moments() {
  const double half = 0.163 / 2, height_squared = 0.01 - half * half;
  const double i1 = 16.0 * 2 / 18 * height_squared, i2 = 2 * half * half;
  return {i1, i2, i1 + i2};
}
std::array<double, 3> spins(const StateOf<MoleculeWater>& x) {
  std::array<double, 3> spin{};
  for (int i = 0; i < 3; ++i) spin[i] = observed<MoleculeWater>(water_dim + 1 + i, x);
  return spin;
}
double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST(Water, TurnsAsTheDiscreteRigidBodyDoes) {
  // RATTLE with fixed distances finds the rotation R with h L = sum m q x R q, which is the discrete Moser-Veselov
  // equation; the rigid body solves it for R itself, without positions.
  StateOf<MoleculeWater> x = warm_start<MoleculeWater>(0);
  const auto moments = water_moments(), start = spins(x);
  RigidBody::State<double> body{start[0], start[1], start[2], 1, 0, 0, 0};
  using Body = Rattle<RigidBody, CayleySolver>;
  const TopParameters inertia{moments[0], moments[1], moments[2], 0, 0, 1, 0};
  const double size = std::hypot(start[0], start[1], start[2]);
  double worst = 0, moved = 0;
  ASSERT_TRUE(integrate<MoleculeWater>(x, 0.002, 1000, [&](const auto& at) {
    ASSERT_TRUE((advance<Body, double>(inertia, 0.002, 1, body)));
    worst = std::max(worst, distance(spins(at), {body[0], body[1], body[2]}));
    moved = std::max(moved, distance(spins(at), start));
  }));
  // Rounding of positions up to 1.3 nm, 2e-16 of that, over distances of 0.1 nm and over 1000 steps, linear in time.
  EXPECT_LT(worst, 1e-12 * size);
  EXPECT_GT(worst, 0);
  EXPECT_GT(moved, 0.3 * size);
}

TEST(Water, ConvergesToEulersEquationsAtOrder2) {
  const auto moments = water_moments();
  const StateOf<MoleculeWater> start = warm_start<MoleculeWater>(0);
  // Pi' = Pi x Omega by the classical Runge-Kutta method, with an error of 1e-13 at this step.
  const auto slope = [&](const std::array<double, 3>& pi) {
    std::array<double, 3> rate{};
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      rate[i] = pi[j] * pi[k] * (1 / moments[k] - 1 / moments[j]);
    }
    return rate;
  };
  const auto moved = [](std::array<double, 3> pi, double h, const std::array<double, 3>& rate) {
    for (int i = 0; i < 3; ++i) pi[i] += h * rate[i];
    return pi;
  };
  constexpr double time = 0.4;
  constexpr int steps = 20000;
  std::array<double, 3> exact = spins(start);
  for (int n = 0; n < steps; ++n) {
    const double h = time / steps;
    const auto k1 = slope(exact), k2 = slope(moved(exact, h / 2, k1)), k3 = slope(moved(exact, h / 2, k2)),
               k4 = slope(moved(exact, h, k3));
    for (int i = 0; i < 3; ++i) exact[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  double coarse = 0;
  for (const int n : {100, 200, 400}) {
    StateOf<MoleculeWater> x = start;
    ASSERT_TRUE(integrate<MoleculeWater>(x, time / n, n, [](const auto&) {}));
    const double error = distance(spins(x), exact);
    if (coarse > 0) {
      EXPECT_NEAR(std::log2(coarse / error), 2, 0.02) << n;  // the next order is h^2 ~ 1e-3 away
    }
    coarse = error;
  }
}

template <class System>
class Chains : public ::testing::Test {};
using SomeChains = ::testing::Types<MoleculeChain<4>, MoleculeRigidAngleChain<4>>;
TYPED_TEST_SUITE(Chains, SomeChains);

TYPED_TEST(Chains, ConvergeAtOrder2) {
  using System = TypeParam;
  StateOf<System> ends[3];
  for (int k = 0; k < 3; ++k) {
    const int steps = 400 << k;
    ends[k] = warm_start<System>(0.5);
    ASSERT_TRUE(integrate<System>(ends[k], 0.2 / steps, steps, [](const auto&) {}));
  }
  const double ratio = largest_difference(ends[0], ends[1]) / largest_difference(ends[1], ends[2]);
  EXPECT_NEAR(std::log2(ratio), 2, 0.01);  // springs turn by 0.05 in the longest step
}

TYPED_TEST(Chains, EnergyDoesNotDrift) {
  using System = TypeParam;
  constexpr int steps = 200000, windows = 20;
  StateOf<System> x = warm_start<System>(0.5);
  const double initial = value<System>(0, x);
  double mean[windows] = {}, least = 0, most = 0;
  int n = 0;
  ASSERT_TRUE(integrate<System>(x, 0.001, steps, [&](const auto& at) {
    const double change = value<System>(0, at) - initial;
    mean[n++ / (steps / windows)] += change / (steps / windows);
    least = std::min(least, change);
    most = std::max(most, change);
  }));
  // The slope of the windows' means by least squares, times the whole time, beside their scatter about it.
  double slope = 0, scatter = 0, average = 0;
  for (const double m : mean) average += m / windows;
  for (int w = 0; w < windows; ++w)
    slope += (w - (windows - 1) / 2.0) * mean[w] * 12 / (windows * (windows * windows - 1.0));
  for (int w = 0; w < windows; ++w) {
    const double rest = mean[w] - average - slope * (w - (windows - 1) / 2.0);
    scatter += rest * rest;
  }
  const double slope_error = std::sqrt(scatter / (windows - 2) * 12 / (windows * (windows * windows - 1.0)));
  EXPECT_LT(std::abs(slope), 4 * slope_error);
  EXPECT_LT(slope * windows, 0.1 * (most - least));
  EXPECT_LT(most - least, 1e-3 * std::abs(initial));  // (h omega)^2 / 8 of the springs' share, omega = 0.1 / h
  EXPECT_GT(most - least, 1e-7 * std::abs(initial));  // it is no integral of the map
}

TEST(Chains, HaveTheEnergyOfTheirTerms) {
  using System = MoleculeChain<6>;
  const StateOf<System> x = warm_start<System>(0);
  const double* p = parameters<System>();
  const auto r = [&](int i, int j) {
    return std::hypot(x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1], x[3 * i + 2] - x[3 * j + 2]);
  };
  const double* numbers = p + 6 + 5;  // k, r, epsilon[2], sigma[2]
  double expected = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = i + 2; j < 6; ++j) {
      if (j == i + 2) {
        expected += numbers[0] / 2 * std::pow(r(i, j) - numbers[1], 2);
      } else {
        const double e = numbers[j == i + 3 ? 2 : 3], s = numbers[j == i + 3 ? 4 : 5];
        expected += 4 * e * (std::pow(s / r(i, j), 12) - std::pow(s / r(i, j), 6));
      }
    }
  EXPECT_NEAR(ModelOf<System>(p).potential(System::position(x)), expected, 1e-13 * std::abs(expected));
  EXPECT_LT(expected, -1);
}

TEST(Molecules, AtomsThatCoincideAreRefused) {
  using System = MoleculeChain<4>;
  const auto problem = [](int i, int j) {
    StateOf<System> x = warm_start<System>(0);
    for (int k = 0; k < 3; ++k) x[3 * i + k] = x[3 * j + k];
    const char* text = InitialPoint<System>(parameters<System>()).prepare(Momentum::hidden_constraint, x.v).problem;
    return std::string(text ? text : "");
  };
  EXPECT_EQ(problem(1, 0), "its constraint Jacobian is rank-deficient: points that coincide or are in line?");
  // Atoms of a spring and of a contact, with the bonds right: a chain folded onto itself, and one closed to a triangle.
  const double side = 0.154, height = side * std::sqrt(0.75);
  for (const auto& places : {std::array<double, 8>{0, 0, side, 0, 0, 0, side / 2, height},
                             std::array<double, 8>{0, 0, side, 0, side / 2, height, 0, 0}}) {
    StateOf<System> x = warm_start<System>(0);
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 3; ++k) x[3 * i + k] = k < 2 ? places[2 * i + k] : 0;
    InitialPoint<System> point(parameters<System>());
    EXPECT_STREQ(point.prepare(Momentum::hidden_constraint, x.v).problem,
                 "the force at its position is not finite: points that coincide?");
    const ModelOf<System> model(parameters<System>());
    const MoleculeRattle<System>::Step<double> step(model, 0.001, 3);
    StateOf<System> y = x;
    EXPECT_FALSE(step(y, y, true));
    EXPECT_EQ(step.failures(x).status(0), Status::not_finite);
  }
}

TEST(Molecules, AStepFarTooLargeIsNotTaken) {
  using System = MoleculeWater;
  StateOf<System> x = warm_start<System>(0);
  // A quarter turn in a step: no multipliers bring the atoms back.
  EXPECT_FALSE(integrate<System>(x, 0.2, 1, [](const auto&) {}));
  StateOf<System> y = warm_start<System>(0);
  EXPECT_TRUE(integrate<System>(y, 0.02, 1, [](const auto&) {}));
}

}  // namespace
}  // namespace polhode::test
