// The free rigid body on SO(4) as 4x4 matrices, N = 16 and D = 10, of which rigid-body-4 is the reduction.
#include <gtest/gtest.h>

#include <algorithm>

#include "numerics/support.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/discrete_rotation_n.hpp"
#include "polhode/system/rigid_body_matrix_n.hpp"

namespace polhode::test {
namespace {

using Reduced = RigidBodyN<4>;
using System = RigidBodyMatrixN<4>;
using OnMatrices = BoundMethod<RattleMethod, ConstrainedMotion<System, NewtonSecantSolver>>;
using OnReduced = BoundMethod<MoserVeselovMethod, DiscreteRotation<Reduced, HadamardSolverN>>;
constexpr double h = 0.05;

class Matrices4 : public ::testing::Test {
 protected:
  Matrices4() { System::example_state(alpha.data(), x.v); }

  Vec<double, 6> reduced() const {
    Vec<double, 6> m;
    for (int i = 0; i < 6; ++i) m[i] = model.observe(System::dim + 1 + i, x);
    return m;
  }
  void advance(int steps) {
    const OnMatrices::Step<double> step(model, h, OnMatrices::nominal_sweeps<double>(alpha.data(), h));
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(step(x, x, true));
  }

  static constexpr auto alpha = Reduced::example_parameters;
  const System::Model<double> model{alpha.data()};
  System::State<double> x;
};

TEST_F(Matrices4, ReduceToTheExampleOfTheReducedBody) {
  Vec<double, 6> example;
  Reduced::example_state(alpha.data(), example.v);
  EXPECT_LT(largest_difference(reduced(), example), 1e-15);
  EXPECT_NEAR(model.energy(x), Reduced::Model<double>(alpha.data()).energy(example), 1e-15);
}

TEST_F(Matrices4, MoveAsTheReducedBody) {
  // Round-off grows with the power 3/2 of the number of steps (relations_test.cpp).
  const Reduced::Model<double> reduced_model(alpha.data());
  const OnReduced::Step<double> step(reduced_model, h, OnReduced::nominal_sweeps<double>(alpha.data(), h));
  auto m = reduced();
  const auto first = m;
  for (int k = 1; k <= 1000; ++k) {
    advance(1);
    ASSERT_TRUE(step(m, m, true));
    EXPECT_LT(largest_difference(reduced(), m), std::min(1e-12, 2e-15 + 1e-16 * std::pow(k, 1.5))) << k << " steps";
  }
  EXPECT_GT(largest_difference(m, first), 0.1);
}

TEST_F(Matrices4, ConserveTheSpatialMomentumAndTheConstraints) {
  const auto first = x;
  advance(1000);
  for (int i = 1; i <= 6; ++i) EXPECT_NEAR(model.invariant(i, x), model.invariant(i, first), 1e-13);
  EXPECT_LT(model.invariant(7, x), 2e-15);
  EXPECT_GT(largest_difference(x, first), 0.1);
}

}  // namespace
}  // namespace polhode::test
