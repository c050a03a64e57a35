// The double spherical pendulum of acceptance E: errors against values computed elsewhere in quadruple precision by
// extrapolation, CM against TN, and long runs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "numerics/oscillation.hpp"
#include "polhode/method/bound_method.hpp"
#include "polhode/method/constrained_collocation.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/constraint_euler.hpp"
#include "polhode/method/constraint_euler_adjoint.hpp"
#include "polhode/method/lobatto.hpp"
#include "polhode/method/rattle.hpp"
#include "polhode/method/rattle_tn.hpp"
#include "polhode/method/shake.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {
namespace {

using System = DoubleSphericalPendulum;
using Point = System::State<double>;

// Acceptance E: m, l, g; q1, q2 from joint to joint; the bobs' velocities (0, 1, 0) and (0, 2, 0).
constexpr double parameters[] = {1, 1.5, 1, 1.5, 9.81};
constexpr Point start{1, 0, 0, 1.5, 0, 0, 0, 4, 0, 0, 3, 0};
constexpr double energy_of_start = 3.5, angular_momentum_of_start = 8.5;
constexpr std::array<double, 6> bobs_at_5{0.412319944659943367, -0.910806549116961332, 0.0205838121171357183,
                                          1.75411043462610663,  -0.754445748494756839, -0.631451141750482288};

const System::Model<double> model(parameters);

/// Distance of the two bobs from where they are at t = 5.
double error_at_5(const Point& x) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += std::pow(x[k] - bobs_at_5[k], 2) + std::pow(x[k] + x[3 + k] - bobs_at_5[3 + k], 2);
  return std::sqrt(sum);
}

template <class Method>
typename Method::template Step<double> step_of(double h) {
  return {model, h, Method::template nominal_sweeps<double>(parameters, h)};
}
template <class Method>
Point after(double t, int steps) {
  const auto step = step_of<Method>(t / steps);
  Point x = start;
  for (int n = 0; n < steps; ++n) EXPECT_TRUE(step(x, x, true));
  return x;
}

template <class Method, class Solver>
using On = BoundMethod<Method, ConstrainedMotion<System, Solver>>;
template <class... Method>
using WithEverySolver =
    ::testing::Types<On<Method, NewtonSecantSolver>..., On<Method, NewtonSolver>..., On<Method, PsiFormSolver>...>;

TEST(AcceptanceE, HasTheEnergyAndTheAngularMomentumGiven) {
  EXPECT_NEAR(model.energy(start), energy_of_start, 1e-15);
  EXPECT_NEAR(model.invariant(1, start), angular_momentum_of_start, 1e-15);
}

/// Steps and errors at t = 5 of constrained_step.hpp, the reference's equations, in long double.
struct Errors {
  int steps[3];
  double values[3];
};
/// Of the positions, which are RATTLE's with TN and SHAKE.
template <class Method>
constexpr Errors errors{{500, 1000, 2000}, {1.40344809e-2, 3.50324857e-3, 8.75475163e-4}};
template <>
constexpr Errors errors<ConstraintEulerMethod>{{5000, 10000, 20000}, {1.04331036e-3, 5.11329395e-4, 2.53493955e-4}};
template <>
constexpr Errors errors<ConstraintEulerAdjointMethod>{{5000, 10000, 20000},
                                                      {9.87950737e-4, 4.97403022e-4, 2.50006890e-4}};

template <class Method>
class AcceptanceEWith : public ::testing::Test {};
using EveryMethod =
    WithEverySolver<RattleMethod, RattleTnMethod, ShakeMethod, ConstraintEulerMethod, ConstraintEulerAdjointMethod>;
TYPED_TEST_SUITE(AcceptanceEWith, EveryMethod);

TYPED_TEST(AcceptanceEWith, ConvergesAtItsOrder) {
  const Errors& expected = errors<typename TypeParam::Method>;
  const int order = TypeParam::properties.order;
  double previous = 0;
  for (int i = 0; i < 3; ++i) {
    const double error = error_at_5(after<TypeParam>(5, expected.steps[i]));
    EXPECT_NEAR(error, expected.values[i], 0.5e-10) << expected.steps[i] << " steps";  // the digits above
    if (i > 0) {
      // The next term of the error moves the slope: by 0.029 and 0.012 in the first order, 0.002 and 0.0005 in the
      // second.
      EXPECT_NEAR(std::log2(previous / error), order, order == 1 ? 0.05 : 0.005) << expected.steps[i] << " steps";
    }
    previous = error;
  }
}

template <class Solver>
class Representations : public ::testing::Test {
 protected:
  using Cm = On<RattleMethod, Solver>;
  using Tn = On<RattleTnMethod, Solver>;
  static double largest_difference(const Vec<double, 6>& a, const Vec<double, 6>& b) {
    double most = 0;
    for (int i = 0; i < 6; ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
  }
  static Point to_tangent(const Point& x) {
    const auto q = System::position(x);
    return System::state(q, model.to_tangent(q, System::momentum(x)));
  }
};
using Solvers = ::testing::Types<NewtonSecantSolver, NewtonSolver, PsiFormSolver>;
TYPED_TEST_SUITE(Representations, Solvers);

TYPED_TEST(Representations, HaveTheSamePositionsAndEnergy) {
  // MS (11) and Theorem 1. On TN the energy is that of the lift: at p itself it means nothing.
  const auto cm = step_of<typename TestFixture::Cm>(0.005);
  const auto tn = step_of<typename TestFixture::Tn>(0.005);
  Point x = start, y = this->to_tangent(start);
  double positions = 0, momenta = 0, one_step = 0, one_momentum = 0, energies = 0;
  double lifted[2] = {energy_of_start, energy_of_start}, plain[2] = {HUGE_VAL, -HUGE_VAL};
  for (int n = 0; n < 1000; ++n) {
    Point from_x = this->to_tangent(x);
    ASSERT_TRUE(cm(x, x, true));
    ASSERT_TRUE(tn(y, y, true));
    ASSERT_TRUE(tn(from_x, from_x, true));
    const Point image = this->to_tangent(x);
    one_step = std::max(one_step, this->largest_difference(System::position(from_x), System::position(x)));
    one_momentum = std::max(one_momentum, this->largest_difference(System::momentum(from_x), System::momentum(image)));
    positions = std::max(positions, this->largest_difference(System::position(y), System::position(x)));
    momenta = std::max(momenta, this->largest_difference(System::momentum(y), System::momentum(image)));
    energies = std::max(energies, std::abs(model.energy(y) - model.energy(x)));
    const auto p = System::momentum(y);
    const double at_p = 0.5 * dot(p, model.velocity(p)) + model.potential(System::position(y));
    lifted[0] = std::min(lifted[0], model.energy(y)), lifted[1] = std::max(lifted[1], model.energy(y));
    plain[0] = std::min(plain[0], at_p), plain[1] = std::max(plain[1], at_p);
  }
  EXPECT_LT(one_step, 5e-15);
  EXPECT_LT(one_momentum, 5e-14);  // momenta of size 10, from positions over h; 9e-15 was measured
  EXPECT_LT(positions, 5e-13);
  EXPECT_LT(momenta, 5e-12);   // 5e-13 was measured
  EXPECT_LT(energies, 5e-12);  // 3e-13
  // RATTLE's 16.9e-3 against 48.2.
  EXPECT_NEAR(lifted[1] - lifted[0], 0.0169, 1e-4);
  EXPECT_NEAR(plain[1] - plain[0], 48.2, 0.1);
}

template <class Method>
class LongPendulumRuns : public ::testing::Test {};
using LongRunMethods = ::testing::Types<On<RattleMethod, NewtonSolver>, On<RattleMethod, NewtonSecantSolver>,
                                        On<RattleTnMethod, NewtonSolver>, On<ShakeMethod, PsiFormSolver>,
                                        On<ConstraintEulerMethod, NewtonSecantSolver>,
                                        BoundMethod<LobattoMethod, ConstrainedCollocation<System>>>;
TYPED_TEST_SUITE(LongPendulumRuns, LongRunMethods);

TYPED_TEST(LongPendulumRuns, KeepWhatIsConserved) {
  const auto step = step_of<TypeParam>(0.01);
  Point x = start;
  double rotation = 0, constraint = 0, hidden = 0;
  for (int n = 0; n < 100000; ++n) {
    ASSERT_TRUE(step(x, x, true));
    const auto q = System::position(x), lift = model.to_hidden_constraint(q, System::momentum(x));
    const auto g = model.constraints(q), rate = model.push(q, model.velocity(lift));
    rotation = std::max(rotation, std::abs(model.invariant(1, x) - angular_momentum_of_start));
    for (int i = 0; i < 2; ++i) {
      constraint = std::max(constraint, std::abs(g[i]));
      hidden = std::max(hidden, std::abs(rate[i]));
    }
  }
  EXPECT_LT(rotation, 2e-12);
  EXPECT_LT(constraint, 2e-15);
  EXPECT_LT(hidden, 2e-14);
}

TYPED_TEST(LongPendulumRuns, EnergyOscillatesWithoutDrift) {
  const auto step = step_of<TypeParam>(0.005);
  Point x = start;
  const Oscillation run = oscillation([&] {
    EXPECT_TRUE(step(x, x, true));
    return model.energy(x) - energy_of_start;
  });
  EXPECT_LT(std::abs(run.slope), 3 * run.deviation);
  // The motion is chaotic, and the means scatter more than those of a top: 0.5e-3 to 3.5e-3 of the amplitude were
  // measured, so that a drift of a fiftieth of it would be found.
  EXPECT_LT(run.deviation, 6e-3 * run.amplitude);
}

}  // namespace
}  // namespace polhode::test
