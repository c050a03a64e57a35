// From what a user gives to a state on the constraints, checked with the pendula's own equations written out here.
#include "system/initial_point.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <string>

#include "polhode/system/pendulum_chain.hpp"
#include "support/linkage.hpp"

namespace polhode {
namespace {

using Pendulum = DoubleSphericalPendulum;
using State = std::array<double, 12>;
using Triple = std::array<double, 3>;

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double masses[2] = {1, 1.5}, lengths[2] = {1, 1.5};
constexpr double parameters[] = {masses[0], masses[1], lengths[0], lengths[1], 9.81};

double dot3(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
/// |a x b|, which vanishes where one is a multiple of the other.
double cross3(const double* a, const double* b) {
  return std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

/// Bobs anywhere at the right distances but for a relative error, with any momenta of size 1.
State random_state(std::uint64_t seed, double error = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  State x;
  for (double& value : x) value = normal(random);
  for (int i = 0; i < 2; ++i) {
    const double scale = lengths[i] * (1 + error * (i == 0 ? 1 : -0.5)) / std::sqrt(dot3(&x[3 * i], &x[3 * i]));
    for (int k = 0; k < 3; ++k) x[3 * i + k] *= scale;
  }
  return x;
}

/// M v: the momentum of bob i is that of all bobs from i on, and bob j moves with the sum of the rods' velocities.
State momenta_of(State x) {
  const State given = x;
  for (int k = 0; k < 3; ++k) {
    const double first = given[6 + k], second = first + given[9 + k];
    x[6 + k] = masses[0] * first + masses[1] * second;
    x[9 + k] = masses[1] * second;
  }
  return x;
}
/// W p, the inverse of that.
State velocities_of(State x) {
  const State given = x;
  for (int k = 0; k < 3; ++k) {
    const double second = given[9 + k] / masses[1], first = (given[6 + k] - given[9 + k]) / masses[0];
    x[6 + k] = first;
    x[9 + k] = second - first;
  }
  return x;
}

Preparation prepare(State& x, Momentum momentum) {
  return InitialPoint<Pendulum>(parameters).prepare(momentum, x.data());
}
Preparation prepare_velocities(State& x, Momentum momentum) {
  return InitialPoint<Pendulum>(parameters).prepare_velocities(momentum, x.data());
}

class Initial : public ::testing::TestWithParam<Momentum> {};
std::string momentum_name(const ::testing::TestParamInfo<Momentum>& info) {
  return std::array{"hidden_constraint", "tangent", "unprojected"}[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Every, Initial,
                         ::testing::Values(Momentum::hidden_constraint, Momentum::tangent, Momentum::unprojected),
                         momentum_name);

TEST_P(Initial, IsOnTheConstraintsAndReachedAlongTheirForces) {
  for (int seed = 0; seed < 200; ++seed) {
    const State given = random_state(seed, 0.004);
    State x = given;
    const Preparation result = prepare(x, GetParam());
    ASSERT_EQ(result.problem, nullptr);
    State moved;
    for (int i = 0; i < 12; ++i) moved[i] = x[i] - given[i];
    // M (q - q0) is a combination of the gradients at q0, each of which is a rod.
    State displacement = given;
    std::copy_n(moved.begin(), 6, displacement.begin() + 6);
    displacement = momenta_of(displacement);
    const State rate = GetParam() == Momentum::tangent ? x : velocities_of(x);
    for (int i = 0; i < 2; ++i) {
      const double* rod = &x[3 * i];
      // Roundings of numbers of the size of the rods and of momenta up to 5.
      EXPECT_NEAR(std::sqrt(dot3(rod, rod)), lengths[i], 4 * eps);
      EXPECT_NEAR(dot3(rod, &rate[6 + 3 * i]), 0, 100 * eps);
      EXPECT_NEAR(cross3(&given[3 * i], &displacement[6 + 3 * i]), 0, 40 * eps);
      EXPECT_NEAR(cross3(rod, &moved[6 + 3 * i]), 0, 100 * eps);
    }
    EXPECT_GT(result.moved_position, 0.001);
    EXPECT_LT(result.moved_position, 0.01);
    EXPECT_GT(result.moved_momentum, 1e-3);  // of a random momentum a part of about a half
    EXPECT_LT(result.moved_momentum, 1);
  }
}

TEST_P(Initial, StaysWhereItIsBitForBit) {
  for (int seed = 0; seed < 500; ++seed) {
    State once = random_state(seed, seed % 2 == 0 ? 0.004 : 1e-12);
    ASSERT_EQ(prepare(once, GetParam()).problem, nullptr);
    State twice = once;
    const Preparation again = prepare(twice, GetParam());
    EXPECT_EQ(again.problem, nullptr);
    EXPECT_EQ(std::memcmp(once.data(), twice.data(), sizeof(State)), 0) << seed;
    EXPECT_EQ(again.moved_position, 0);
    EXPECT_EQ(again.moved_momentum, 0);
  }
}

TEST_P(Initial, StaysWhereItIsForVeryUnequalMasses) {
  using Chain = PendulumChain<4>;
  const double unequal[] = {1e6, 1, 1e-6, 1e3, 1, 1e-3, 10, 1, 9.81};
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 200; ++k) {
    std::array<double, 24> once;
    Chain::example_state(unequal, once.data());
    for (int i = 12; i < 24; ++i) once[i] *= 1 + normal(random);
    ASSERT_EQ(InitialPoint<Chain>(unequal).prepare(GetParam(), once.data()).problem, nullptr);
    auto twice = once;
    ASSERT_EQ(InitialPoint<Chain>(unequal).prepare(GetParam(), twice.data()).problem, nullptr);
    EXPECT_EQ(std::memcmp(once.data(), twice.data(), sizeof once), 0) << k;
  }
}

TEST_P(Initial, VelocitiesBecomeMomenta) {
  for (int seed = 0; seed < 200; ++seed) {
    State given = random_state(seed);
    for (int i = 0; i < 2; ++i) {  // velocities along the spheres
      const double* rod = &given[3 * i];
      const double along = dot3(rod, &given[6 + 3 * i]) / dot3(rod, rod);
      for (int k = 0; k < 3; ++k) given[6 + 3 * i + k] -= along * rod[k];
    }
    State expected = momenta_of(given);
    if (GetParam() == Momentum::tangent) {
      for (int i = 0; i < 2; ++i) {
        const double* rod = &given[3 * i];
        const double along = dot3(rod, &expected[6 + 3 * i]) / dot3(rod, rod);
        for (int k = 0; k < 3; ++k) expected[6 + 3 * i + k] -= along * rod[k];
      }
    }
    State x = given;
    const Preparation result = prepare_velocities(x, GetParam());
    ASSERT_EQ(result.problem, nullptr);
    EXPECT_LT(result.moved_position, 4 * eps);
    EXPECT_LT(result.moved_momentum, 40 * eps);  // on TN too: it is the state that was given
    for (int i = 0; i < 12; ++i) EXPECT_NEAR(x[i], expected[i], 100 * eps) << i;  // of momenta up to 10
  }
}

TEST_P(Initial, ImpossiblePartsOfVelocitiesAreTakenAway) {
  State given = random_state(1);
  State along = given;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k) along[6 + 3 * i + k] = given[3 * i + k];  // every rod grows
  State x = along;
  const Preparation result = prepare_velocities(x, GetParam());
  ASSERT_EQ(result.problem, nullptr);
  EXPECT_GT(result.moved_momentum, 0.1);
  const State v = velocities_of(x);
  if (GetParam() == Momentum::tangent) return;
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(dot3(&x[3 * i], &v[6 + 3 * i]), 0, 20 * eps);
}

TEST_P(Initial, MomentumOfConstraintForcesAloneIsRest) {
  State x = random_state(3);
  for (int i = 0; i < 6; ++i) x[6 + i] = (i < 3 ? 2.0 : -0.7) * x[i];  // p = G^T s
  const Preparation result = prepare(x, GetParam());
  EXPECT_EQ(result.problem, nullptr);
  EXPECT_NEAR(result.moved_momentum, 1, 4 * eps);
  for (int i = 6; i < 12; ++i) EXPECT_EQ(x[i], 0);
}

TEST_P(Initial, PositionsFarOffAreRefused) {
  // Both rods too long by a factor: the nearest position along W G^T is not radial, but no farther off than that.
  for (const double factor : {1.005, 0.995, 1.02, 0.98, 1.5}) {
    const State right = random_state(4);
    State given = right;
    for (int i = 0; i < 6; ++i) given[i] *= factor;
    State x = given;
    const Preparation result = prepare(x, GetParam());
    const double off = std::abs(factor - 1);
    if (off < 0.01) {
      EXPECT_EQ(result.problem, nullptr) << factor;
    } else {
      ASSERT_NE(result.problem, nullptr) << factor;
      EXPECT_NE(std::string(result.problem).find("more than a hundredth"), std::string::npos);
      EXPECT_EQ(x, given);  // untouched
    }
    // Lengths change by off in all; the way there may be oblique by as much as the masses differ.
    EXPECT_GT(result.moved_position, 0.6 * off);
    EXPECT_LT(result.moved_position, 2 * off);
  }
}

TEST(InitialProblems, AreNamed) {
  const auto problem_with = [](int column, double value) {
    State x = random_state(7);
    x[column] = value;
    const char* problem = prepare(x, Momentum::hidden_constraint).problem;
    return std::string(problem ? problem : "none");
  };
  EXPECT_EQ(problem_with(0, NAN), "its position is too large");
  EXPECT_EQ(problem_with(0, 1e200), "its position is too large");
  EXPECT_EQ(problem_with(6, NAN), "its momenta are too large");
  EXPECT_EQ(problem_with(6, INFINITY), "its momenta are too large");
  EXPECT_EQ(problem_with(6, 1e200), "its momenta are too large");
  EXPECT_EQ(problem_with(6, 1e100), "none");

  State coincident = random_state(7);
  for (int k = 0; k < 3; ++k) coincident[3 + k] = 0;
  const char* problem = prepare(coincident, Momentum::hidden_constraint).problem;
  ASSERT_NE(problem, nullptr);
  EXPECT_NE(std::string(problem).find("rank-deficient"), std::string::npos);
}

TEST(InitialProblems, PointsInLine) {
  double in_line[] = {1, 0, 2, 0, 0, 1, 0, 1};
  const char* problem = InitialPoint<Linkage>(nullptr).prepare(Momentum::hidden_constraint, in_line).problem;
  ASSERT_NE(problem, nullptr);
  EXPECT_NE(std::string(problem).find("in line"), std::string::npos);

  const double angle = 1e-3;  // nearly: G W G^T still has an inverse
  double nearly[] = {std::cos(angle), std::sin(angle), 1 + std::cos(angle), std::sin(angle), 0, 1, 0, 1};
  EXPECT_EQ(InitialPoint<Linkage>(nullptr).prepare(Momentum::hidden_constraint, nearly).problem, nullptr);
}

}  // namespace
}  // namespace polhode
