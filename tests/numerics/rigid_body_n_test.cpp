// The free rigid body on SO(n): its integrals; n = 3 is heavy-top without gravity. Order and structure are tested with
// those of all systems in properties_test.cpp.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "numerics/support.hpp"
#include "polhode/method/discrete_rotation_n.hpp"
#include "polhode/system/rigid_body_n.hpp"

namespace polhode::test {
namespace {

template <int n>
using Body = RigidBodyN<n>;
template <int n, class Named = MoserVeselovMethod>
using Map = BoundMethod<Named, DiscreteRotation<Body<n>, HadamardSolverN>>;
template <int n>
using MomentumOn = Vec<double, Body<n>::dim>;
using Matrix = Eigen::MatrixXd;

template <int n>
Matrix to_matrix(const MomentumOn<n>& x) {
  Matrix m(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m(i, j) = Body<n>::element(x, i, j);
  return m;
}

template <int n, class Generator>
std::array<double, n> random_alpha(Generator& random) {
  std::uniform_real_distribution<double> uniform(0.2, 1.2);
  std::array<double, n> alpha;
  for (double& value : alpha) value = uniform(random);
  return alpha;
}
/// A body that turns at rates of about 1.
template <int n, class Generator>
MomentumOn<n> random_momentum(const std::array<double, n>& alpha, Generator& random) {
  std::normal_distribution<double> normal;
  MomentumOn<n> x;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) x[above<n>(i, j)] = (alpha[i] + alpha[j]) * normal(random) / std::sqrt(n);
  return x;
}

template <int n, class Named = MoserVeselovMethod>
bool turn(const std::array<double, n>& alpha, double h, std::int64_t steps, MomentumOn<n>& x) {
  return advance<Map<n, Named>, double>(alpha, h, steps, x);
}

template <class Size>
class OnSOn : public ::testing::Test {
 protected:
  static constexpr int n = Size::value;
};
using Sizes = ::testing::Types<std::integral_constant<int, 3>, std::integral_constant<int, 4>,
                               std::integral_constant<int, 5>, std::integral_constant<int, 6>>;
TYPED_TEST_SUITE(OnSOn, Sizes);

/// J of alpha.
template <std::size_t n>
Matrix diagonal(const std::array<double, n>& alpha) {
  return Eigen::Map<const Eigen::VectorXd>(alpha.data(), n).asDiagonal();
}
/// I^-1(m).
template <std::size_t n>
Matrix velocity(const std::array<double, n>& alpha, Matrix m) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) m(i, j) /= alpha[i] + alpha[j];
  return m;
}

/// Coefficients of lambda^0, ..., lambda^k in tr (m + lambda K)^k, by multiplying polynomials of matrices.
std::vector<double> manakov(const Matrix& m, const Matrix& K, int k) {
  std::vector<Matrix> power{Matrix::Identity(m.rows(), m.rows())};
  for (int l = 0; l < k; ++l) {
    std::vector<Matrix> next(power.size() + 1, Matrix::Zero(m.rows(), m.rows()));
    for (std::size_t j = 0; j < power.size(); ++j) next[j] += power[j] * m, next[j + 1] += power[j] * K;
    power = next;
  }
  std::vector<double> traces;
  for (const auto& coefficient : power) traces.push_back(coefficient.trace());
  return traces;
}

TYPED_TEST(OnSOn, InvariantsAreTheEnergyAndAllCoefficientsOfManakov) {
  constexpr int n = TestFixture::n;
  std::mt19937_64 random(51);
  for (int trial = 0; trial < 20; ++trial) {
    const auto alpha = random_alpha<n>(random);
    const auto x = random_momentum<n>(alpha, random);
    const typename Body<n>::template Model<double> model(alpha.data());
    const Matrix m = to_matrix<n>(x), J = diagonal(alpha);
    EXPECT_NEAR(model.invariant(0, x), (velocity(alpha, m) * m.transpose()).trace() / 4, 1e-14);
    int index = 1;
    for (int k = 2; k <= n; ++k) {
      const std::vector<double> traces = manakov(m, J * J, k);
      for (int j = 0; j <= k; ++j) {
        if (j == k) continue;  // no m in it
        if ((k - j) % 2 == 1) {
          EXPECT_NEAR(traces[j], 0, 1e-13);  // m and its transpose have the same
          continue;
        }
        ASSERT_LT(index, Body<n>::n_invariants);
        const std::string name = "manakov_" + std::to_string(k) + "_" + std::to_string(j);
        EXPECT_EQ(Body<n>::invariants[index].name, name);
        EXPECT_NEAR(model.invariant(index++, x), traces[j], 1e-13 * std::pow((m + J * J).norm(), k)) << name;
      }
    }
    EXPECT_EQ(index, Body<n>::n_invariants);
  }
}

TYPED_TEST(OnSOn, KeepsEveryIntegral) {
  // 10^5 steps of round-off, a random walk: 10^2.5 units. Each coefficient in units of the matrix it belongs to, over
  // lambda in [1/4, 4]. Measured: 1e-14 to 4e-14 of those.
  constexpr int n = TestFixture::n;
  const auto alpha = Body<n>::example_parameters;
  const typename Body<n>::template Model<double> model(alpha.data());
  MomentumOn<n> first, x;
  Body<n>::example_state(alpha.data(), first.v);
  x = first;
  const Matrix m = to_matrix<n>(first), J = diagonal(alpha);
  double worst = 0, moved = 0;
  for (int part = 0; part < 10; ++part) {
    ASSERT_TRUE((turn<n>(alpha, 0.05, 10000, x)));
    moved = std::max(moved, largest_difference(x, first));
    EXPECT_NEAR(model.energy(x), model.energy(first), 1e-12 * model.energy(first));
    for (int i = 1; i < Body<n>::n_invariants; ++i) {
      const auto [k, j] = Body<n>::manakov_of(i);
      for (const double lambda : {0.25, 0.5, 1.0, 2.0, 4.0})
        worst = std::max(worst, std::abs(model.invariant(i, x) - model.invariant(i, first)) * std::pow(lambda, j) /
                                    std::pow((m + lambda * J * J).norm(), k));
    }
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(moved, 0.1);
  this->RecordProperty("worst", std::to_string(worst * 1e15) + "e-15");
}

TYPED_TEST(OnSOn, RattleIsTheSameMap) {
  constexpr int n = TestFixture::n;
  const auto alpha = Body<n>::example_parameters;
  MomentumOn<n> x;
  Body<n>::example_state(alpha.data(), x.v);
  auto y = x;
  ASSERT_TRUE((turn<n>(alpha, 0.05, 100, x)));
  ASSERT_TRUE((turn<n, RattleMethod>(alpha, 0.05, 100, y)));
  EXPECT_EQ(largest_difference(x, y), 0);
}

TYPED_TEST(OnSOn, TooFastABodyFails) {
  constexpr int n = TestFixture::n;
  const auto alpha = Body<n>::example_parameters;
  MomentumOn<n> x;
  Body<n>::example_state(alpha.data(), x.v);
  auto fast = 1000.0 * x;
  EXPECT_FALSE((turn<n>(alpha, 0.05, 1, fast)));
}

TEST(RigidBodyN, RefusesAMomentThatIsNotPositive) {
  const double alpha[] = {0.5, -0.2, 0.2, 0.6};
  EXPECT_STREQ(Body<4>::invalid_reason(alpha), "a moment of inertia alpha_i + alpha_j is not positive");
  const double flat[] = {0.5, -0.2, 0.3, 0.6};  // any alpha but no moment may be negative
  EXPECT_EQ(Body<4>::invalid_reason(flat), nullptr);
}

TEST(RigidBodyN, OfThreeDimensionsIsTheFreeTop) {
  // m12 = -Pi3, m13 = Pi2, m23 = -Pi1. Round-off grows with the power 3/2 of the number of steps (relations_test.cpp).
  std::mt19937_64 random(67);
  for (int trial = 0; trial < 20; ++trial) {
    const auto alpha = random_alpha<3>(random);
    const auto start = random_momentum<3>(alpha, random);
    const TopParameters body{alpha[1] + alpha[2], alpha[2] + alpha[0], alpha[0] + alpha[1], 0, 0, 1, 0};
    for (const int steps : {1, 10, 100, 1000}) {
      auto x = start;
      HeavyTop::State<double> top{-x[2], x[1], -x[0], 0, 0, 1};
      ASSERT_TRUE((turn<3>(alpha, 0.05, steps, x)));
      ASSERT_TRUE((advance<MoserVeselov<HeavyTop, CayleySolver>, double>(body, 0.05, steps, top)));
      EXPECT_LT(largest_difference(x, MomentumOn<3>{-top[2], top[1], -top[0]}), 4e-15 + 2e-17 * std::pow(steps, 1.5));
    }
  }
}

}  // namespace
}  // namespace polhode::test
