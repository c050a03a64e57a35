// The two forms of the momentum after the rotation of a step (McLachlan & Scovel 1995, sect. 6.2):
//
//     m3 = (J w^T - w J) / h = w m2 w^T   where   w^T J - J w = h m2,   w in SO(n)
//
// of the heavy top, and of the free body, where m2 is the momentum before the step and m3 that after it. The program
// computes the second one, a coadjoint action, which does not divide by h.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>

#include "numerics/dense.hpp"
#include "numerics/support.hpp"
#include "polhode/method/discrete_rotation_n.hpp"
#include "polhode/system/rigid_body_n.hpp"

namespace polhode::test {
namespace {

using Matrix = Eigen::MatrixXd;

/// Form (J w^T - w J) / h with w = 1 + b, without the identity: what cancels would leave the rounding of J over h.
Matrix by_the_inertia(const Matrix& alpha, const Matrix& b, double h) {
  const Matrix J = alpha.asDiagonal();
  return (product(J, b.transpose()) - product(b, J)) / h;
}
double largest(const Matrix& a) { return a.cwiseAbs().maxCoeff(); }

Matrix hat(const Vec<double, 3>& v) {
  Matrix m(3, 3);
  m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return m;
}

/// Change w - 1 of unit vectors by a solver's rotation.
template <class Rotation>
Matrix small_part(const Rotation& rotation) {
  Matrix b(3, 3);
  for (int j = 0; j < 3; ++j) {
    Vec<double, 3> axis{0, 0, 0};
    axis[j] = 1;
    const auto turned = rotation(axis);
    for (int i = 0; i < 3; ++i) b(i, j) = turned[i] - axis[i];
  }
  return b;
}

template <class Solver>
class MomentumForms : public ::testing::Test {};
using Solvers = ::testing::Types<CayleySolver, HadamardSolver>;
TYPED_TEST_SUITE(MomentumForms, Solvers);

TYPED_TEST(MomentumForms, OfTheHeavyTopAreOneStepOfRattle) {
  std::mt19937_64 random(61);
  double difference = 0, residual = 0, turn = 0;
  for (int trial = 0; trial < 200; ++trial)
    for (const double h : {0.02, 0.1}) {
      TopParameters body = random_body(random);
      if (trial % 2 == 0) body[6] = 0;  // free
      const HeavyTop::Model<double> model(body.data());
      auto x = to_state<HeavyTop, double>(random_point(random));
      const Vec<double, 3> half_kick = (h / 2 * model.c) * model.chi;
      const auto m2 = cross(HeavyTop::vertical(x), half_kick, HeavyTop::angular_momentum(x));

      const typename TypeParam::template Constants<double> constants(model, h);
      const typename TypeParam::template Equation<double> equation(constants);
      const auto load = equation.load(m2);
      auto unknown = equation.start(load);
      for (int k = 0; k < 60; ++k) unknown = equation.sweep(load, unknown);
      Eigen::Vector3d alpha;
      for (int i = 0; i < 3; ++i) alpha[i] = (body[0] + body[1] + body[2]) / 2 - body[i];
      const Matrix b = small_part(equation.rotation(unknown)), m3 = by_the_inertia(alpha, b, h);

      ASSERT_TRUE((advance<Rattle<HeavyTop, TypeParam>, double>(body, h, 1, x)));
      const auto back = cross(HeavyTop::vertical(x), -1.0 * half_kick, HeavyTop::angular_momentum(x));
      const double scale = largest(hat(m2));
      difference = std::max(difference, largest(m3 - hat(back)) / scale);
      residual = std::max(residual, largest(by_the_inertia(alpha, b.transpose(), h) + hat(m2)) / scale);
      turn = std::max(turn, largest(m3 - hat(m2)) / scale);
    }
  EXPECT_LT(difference, 1.5e-15);  // some units in the last place: 7.9e-16 was measured
  EXPECT_LT(residual, 1.5e-15);
  EXPECT_GT(turn, 0.1);
}

template <int n>
Matrix to_matrix(const Vec<double, RigidBodyN<n>::dim>& x) {
  Matrix m(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m(i, j) = RigidBodyN<n>::element(x, i, j);
  return m;
}

template <class Size>
class MomentumFormsOnSOn : public ::testing::Test {};
using Sizes = ::testing::Types<std::integral_constant<int, 3>, std::integral_constant<int, 4>,
                               std::integral_constant<int, 5>, std::integral_constant<int, 6>>;
TYPED_TEST_SUITE(MomentumFormsOnSOn, Sizes);

TYPED_TEST(MomentumFormsOnSOn, AreOneForTheFreeBody) {
  constexpr int n = TypeParam::value;
  using Body = RigidBodyN<n>;
  using Solver = HadamardSolverN;
  std::mt19937_64 random(67);
  std::normal_distribution<double> normal;
  const typename Body::template Model<double> model(Body::example_parameters.data());
  Eigen::VectorXd alpha(n);
  for (int i = 0; i < n; ++i) alpha[i] = model.alpha[i];
  double difference = 0, turn = 0;
  for (int trial = 0; trial < 100; ++trial)
    for (const double h : {0.02, 0.1}) {
      Vec<double, Body::dim> m;
      for (int i = 0; i < Body::dim; ++i) m[i] = normal(random);
      const Solver::Constants<n, double> constants(model.alpha, h);
      const Solver::Equation<n, double> equation(constants);
      auto unknown = equation.start();
      for (int k = 0; k < 60; ++k) unknown = equation.sweep(m, unknown);
      Matrix b(n, n);  // a above the diagonal, then s on and above it
      for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j) {
          const double a = i < j ? unknown[above<n>(i, j)] : 0, s = unknown[above_size<n> + upper<n>(i, j)];
          b(i, j) = s + a, b(j, i) = s - a;
        }
      const Matrix m3 = by_the_inertia(alpha, b, h);
      const double scale = largest(to_matrix<n>(m));
      difference = std::max(difference, largest(m3 - to_matrix<n>(equation.turned(unknown, m))) / scale);
      turn = std::max(turn, largest(m3 - to_matrix<n>(m)) / scale);
    }
  EXPECT_LT(difference, 1e-15);  // some units in the last place: 4.1e-16 was measured
  EXPECT_GT(turn, 0.05);
}

}  // namespace
}  // namespace polhode::test
