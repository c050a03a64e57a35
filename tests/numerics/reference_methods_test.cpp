// What the reference's methods are, each pair of a system and a method by itself: order, adjoints, identities between
// them, and the attitude of rigid-body.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "backend/reference/heavy_top_embedding.hpp"
#include "backend/reference/moser_veselov_body.hpp"
#include "backend/reference/reference_backend.hpp"
#include "backend/reference/reference_body.hpp"
#include "backend/reference/rigid_body_embedding.hpp"
#include "numerics/constrained_bodies.hpp"
#include "support/heavy_top.hpp"

namespace polhode::test {
namespace {

using Attitude = RigidBodyEmbedding<double>::State;  ///< pi1 pi2 pi3 qw qx qy qz
template <template <class> class Motion>
using Top = ReferenceBody<double, HeavyTopEmbedding, Motion>;
template <template <class> class Motion>
using Rigid = ReferenceBody<double, RigidBodyEmbedding, Motion>;

// Acceptance A and B, with Q0 = 1.
constexpr Attitude attitude_start{1.8, 0.4, -0.9, 1, 0, 0, 0};
constexpr Attitude free_body_at_10{free_body_pi_at_10[0], free_body_pi_at_10[1], free_body_pi_at_10[2],
                                   0.736061364160793936,  0.570786951240350733,  0.299388571830790094,
                                   0.206839086104673192};
constexpr Attitude heavy_body_at_10{heavy_body_pi_at_10[0], heavy_body_pi_at_10[1], heavy_body_pi_at_10[2],
                                    0.925739989093463492,   -0.351490667972755312,  0.102183876018652496,
                                    -0.0949644059798461202};

template <class State>
double distance(const State& a, const State& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

template <class Body>
typename Body::State run(const TopParameters& parameters, const typename Body::State& from, double h, int steps) {
  Body body(parameters.data(), h);
  body.set_state(from);
  for (int n = 0; n < steps; ++n) EXPECT_TRUE(body.step()) << "step " << n;
  return body.state();
}

Attitude random_attitude(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Attitude x;
  for (double& value : x) value = normal(random);
  const double length = std::sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]);
  for (int k = 3; k < 7; ++k) x[k] /= length;
  return x;
}

/// Distance of Pi and of the attitude, which is known up to sign, at t = 10 from the exact ones.
struct Errors {
  double pi, attitude;
};
template <template <class> class Motion>
Errors errors_at_10(const TopParameters& body, const Attitude& exact, int steps) {
  const Attitude x = run<Rigid<Motion>>(body, attitude_start, 10.0 / steps, steps);
  Errors errors{0, 0};
  const double side = x[3] * exact[3] < 0 ? -1 : 1;
  for (int k = 0; k < 3; ++k) errors.pi = std::max(errors.pi, std::abs(x[k] - exact[k]));
  for (int k = 3; k < 7; ++k) errors.attitude = std::max(errors.attitude, std::abs(side * x[k] - exact[k]));
  return errors;
}

template <template <class> class Motion>
void expect_orders(int pi, int attitude, const TopParameters& body, const Attitude& exact) {
  const int few = pi == 1 ? 6400 : 1600;  // in the asymptotic range
  Errors coarse = errors_at_10<Motion>(body, exact, few);
  for (const int steps : {2 * few, 4 * few}) {
    const Errors fine = errors_at_10<Motion>(body, exact, steps);
    // The next term of the error moves the slope by a multiple of h^2 or, for order 1, of h.
    EXPECT_NEAR(std::log2(coarse.pi / fine.pi), pi, pi == 1 ? 0.1 : 0.01) << steps << " steps, error " << fine.pi;
    EXPECT_NEAR(std::log2(coarse.attitude / fine.attitude), attitude, 0.01)
        << steps << " steps, error " << fine.attitude;
    coarse = fine;
  }
}

TEST(ReferenceMethods, ConvergeToTheExactMotionWithTheirOrder) {
  expect_orders<RattleBody>(2, 2, free_body, free_body_at_10);
  expect_orders<MoserVeselovBody>(2, 2, free_body, free_body_at_10);
  expect_orders<ConstraintEulerBody>(2, 2, free_body, free_body_at_10);  // the same map without a kick
  expect_orders<RattleBody>(2, 2, heavy_body, heavy_body_at_10);
  // Half a kick carries the first-order maps to RATTLE (below). There is none at the start, where chi = Gamma: their
  // attitudes are RATTLE's, and it is Pi that shows their order.
  expect_orders<ConstraintEulerBody>(1, 2, heavy_body, heavy_body_at_10);
  expect_orders<ConstraintEulerAdjointBody>(1, 2, heavy_body, heavy_body_at_10);
}

template <template <class> class There, template <class> class Back>
double way_back(double h) {
  std::mt19937 random(10);
  double worst = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Attitude x = random_attitude(random);
    worst =
        std::max(worst, distance(run<Rigid<Back>>(oblique_body, run<Rigid<There>>(oblique_body, x, h, 1), -h, 1), x));
  }
  return worst;
}

TEST(ReferenceMethods, TheAdjointInvertsTheFirstOrderMap) {
  // Two solves to round-off of quantities up to 4.
  EXPECT_LT((way_back<ConstraintEulerBody, ConstraintEulerAdjointBody>(0.05)), 1e-14);
  EXPECT_LT((way_back<ConstraintEulerAdjointBody, ConstraintEulerBody>(0.05)), 1e-14);
  EXPECT_LT((way_back<RattleBody, RattleBody>(0.05)), 1e-14);
  // Neither inverts itself: a kick of h c is missed by what the body turns meanwhile, h Omega.
  EXPECT_GT((way_back<ConstraintEulerBody, ConstraintEulerBody>(0.05)), 1e-3);
  EXPECT_GT((way_back<ConstraintEulerAdjointBody, ConstraintEulerAdjointBody>(0.05)), 1e-3);
}

TEST(ReferenceMethods, HalfAKickCarriesTheFirstOrderMapToRattle) {
  // The first-order map after Pi + (h/2) c chi x Gamma, which half a kick undoes, ends where RATTLE ends, but for the
  // half kick at the end. So it goes on for many steps: the same Gamma.
  constexpr double h = 0.05;
  std::mt19937 random(11);
  for (int trial = 0; trial < 50; ++trial) {
    const Point x = random_point(random);
    const double* chi = oblique_body.data() + 3;
    Point shifted = x;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      shifted[i] += h / 2 * (chi[j] * x[3 + k] - chi[k] * x[3 + j]);
    }
    const Point a = run<Top<RattleBody>>(oblique_body, x, h, 10),
                b = run<Top<ConstraintEulerBody>>(oblique_body, shifted, h, 10);
    for (int k = 3; k < 6; ++k) EXPECT_NEAR(a[k], b[k], 5e-14);  // ten steps' round-off
  }
}

TEST(ReferenceMethods, WithoutGravityTwoFormulationsGiveOneMap) {
  // MS Theorem 6. 20 bodies, 50 states; round-off of quantities up to 4 in both.
  std::mt19937 random(6);
  double worst = 0;
  for (int body = 0; body < 20; ++body) {
    TopParameters parameters = random_body(random);
    parameters[6] = 0;
    for (int trial = 0; trial < 50; ++trial) {
      const Attitude x = random_attitude(random);
      const Attitude expected = run<Rigid<MoserVeselovBody>>(parameters, x, 0.05, 1);
      worst = std::max(worst, distance(run<Rigid<RattleBody>>(parameters, x, 0.05, 1), expected));
      worst = std::max(worst, distance(run<Rigid<ConstraintEulerBody>>(parameters, x, 0.05, 1), expected));
      worst = std::max(worst, distance(run<Rigid<ConstraintEulerAdjointBody>>(parameters, x, 0.05, 1), expected));
    }
  }
  EXPECT_LT(worst, 1e-14);
  EXPECT_GT(worst, 0);  // they are two formulations
}

/// RATTLE with kicks that are not quite equal.
template <class Real>
struct UnequalBody : ConstrainedBody<Real> {
  explicit UnequalBody(const double* parameters) : ConstrainedBody<Real>(parameters, {0.5 + 1e-10, 0.5 - 1e-10}) {}
};

TEST(ReferenceMethods, ASlightlyWrongEquationIsNoticed) {
  // A kick of 1e-10 h c before the motion that belongs after it: the torque turns with the body, by h Omega.
  std::mt19937 random(7);
  double worst = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Attitude x = random_attitude(random);
    worst = std::max(worst, distance(run<Rigid<RattleBody>>(oblique_body, x, 0.05, 1),
                                     run<Rigid<UnequalBody>>(oblique_body, x, 0.05, 1)));
  }
  EXPECT_GT(worst, 1e-13);  // ten times the bound of the comparisons
  EXPECT_LT(worst, 1e-11);
}

TEST(ReferenceMethods, TheQuaternionGoesOnThroughManyTurns) {
  // A ball with I = 1 turning about axis 3 at 2, by asin(2 h) in each step, 32 half turns of the quaternion in all.
  constexpr TopParameters ball = {1, 1, 1, 0, 0, 1, 0};
  constexpr double h = 0.1, turn = 2 * h;
  Rigid<RattleBody> body(ball.data(), h);
  body.set_state({0, 0, 2, 1, 0, 0, 0});
  int changes = 0;
  for (int n = 1; n <= 1000; ++n) {
    const Attitude before = body.state();
    ASSERT_TRUE(body.step());
    const Attitude& x = body.state();
    const double half_angle = n * std::asin(turn) / 2;
    // The body sees the same step again and again, so that its round-off adds up: 1000 epsilons. Measured: 2.1e-13.
    EXPECT_NEAR(x[3], std::cos(half_angle), 1e-12) << n;
    EXPECT_NEAR(x[6], std::sin(half_angle), 1e-12) << n;
    changes += (before[3] < 0) != (x[3] < 0);
  }
  EXPECT_EQ(changes, 32);  // 1000 asin(0.2) / 2 = 100.68 = 32.05 pi
}

TEST(ReferenceMethods, ReductionUndoesTheEmbeddingOfAnAttitude) {
  std::mt19937 random(12);
  for (int trial = 0; trial < 1000; ++trial) {
    Attitude x = random_attitude(random);
    for (int k = 3; k < 7; ++k) x[k] *= 1 - 1e-6;  // as far from 1 as given states may be
    using Embedding = RigidBodyEmbedding<double>;
    EXPECT_LT(distance(Embedding::reduce(Embedding::lift(x), x), x), 2e-15);  // a few roundings of numbers up to 1
    Attitude opposite = x;
    for (int k = 3; k < 7; ++k) opposite[k] = -x[k];
    EXPECT_LT(distance(Embedding::reduce(Embedding::lift(x), opposite), opposite), 2e-15);
  }
}

TEST(ReferenceMethods, BothSystemsAreTheSameBody) {
  // Gamma = |q|^2 Q^T e3, whatever the length of q.
  std::mt19937 random(13);
  for (int trial = 0; trial < 50; ++trial) {
    Attitude x = random_attitude(random);
    for (int k = 3; k < 7; ++k) x[k] *= 1.1;
    const auto to_top = [](const Attitude& a) {
      const double w = a[3], p = a[4], q = a[5], r = a[6];
      return Point{a[0], a[1], a[2], 2 * (p * r - w * q), 2 * (q * r + w * p), w * w - p * p - q * q + r * r};
    };
    const Point top = run<Top<RattleBody>>(oblique_body, to_top(x), 0.05, 10);
    EXPECT_LT(distance(to_top(run<Rigid<RattleBody>>(oblique_body, x, 0.05, 10)), top), 5e-14);  // ten steps' round-off
  }
}

TEST(ReferenceMethods, MoserVeselovNeedsNoMassMatrixButAFreeBody) {
  // A plate, alpha3 = 0: its DMV map keeps energy and |Pi|^2 (MS sect. 6.1). Round-off of 100 steps, of numbers up
  // to 7.
  constexpr TopParameters plate = {1, 2, 3, 0, 0, 1, 0};
  const Point start = {1.8, 0.4, -0.9, 0, 0, 1}, end = run<Top<MoserVeselovBody>>(plate, start, 0.05, 100);
  const HeavyTop::Model<double> model(plate.data());
  for (const int i : {0, 1, 2, 3}) {
    const auto value = [&](const Point& x) { return model.invariant(i, {x[0], x[1], x[2], x[3], x[4], x[5]}); };
    EXPECT_NEAR(value(end), value(start), 1e-13) << HeavyTop::invariants[i].name;
  }
  EXPECT_GT(distance(end, start), 0.1);

  EXPECT_THROW(Top<MoserVeselovBody>(heavy_body.data(), 0.05), std::invalid_argument);
  EXPECT_THROW(Top<ConstraintEulerBody>(plate.data(), 0.05), std::invalid_argument);
}

TEST(ReferenceMethods, MoserVeselovKeepsTheStateOfAStepThatHasNoSolution) {
  // The ball of reference_test.cpp: a step turns it by asin(h |Omega|).
  constexpr TopParameters ball = {1, 1, 1, 0, 0, 1, 0};
  Rigid<MoserVeselovBody> body(ball.data(), 0.99);
  body.set_state({1, 0, 0, 1, 0, 0, 0});
  ASSERT_TRUE(body.step());
  const Attitude before = body.state();
  EXPECT_NEAR(before[4], std::sin(std::asin(0.99) / 2), 1e-14);  // the square root at the fold costs a digit
  EXPECT_EQ(body.advance(1.01), Status::not_converged);
  EXPECT_EQ(body.advance(std::numeric_limits<double>::infinity()), Status::not_finite);
  EXPECT_EQ(body.state(), before);
}

/// Some steps of the backend that the kicks of a method and of its adjoint ask for, in turn or not.
Attitude steps_of_backend(const TopParameters& parameters, const ReferenceMethod& method, const Kicks& kicks,
                          bool alternating) {
  constexpr std::int64_t steps = 3;
  RunPlan plan{};
  std::copy(parameters.begin(), parameters.end(), plan.parameters);
  plan.step_plan.kicks[0] = kicks;
  if (alternating) {
    plan.step_plan.n_stages = 2;
    plan.step_plan.kicks[1] = kicks.adjoint();
    plan.step_plan.stages[0] = {.fraction = 0.25, .kicks = 0};
    plan.step_plan.stages[1] = {.fraction = 0.75, .kicks = 1};
  }
  plan.step = 0.1;
  plan.section.observable = -1;
  plan.last_step = steps;
  Batch batch(1, 7, 0);
  std::copy(attitude_start.begin(), attitude_start.end(), batch.state.begin());
  const auto backend = reference_of<RigidBody>()(plan, method);
  backend->load(batch);
  backend->advance({0, steps});
  backend->store(batch);
  EXPECT_EQ(batch.code[0], 0);
  Attitude x;
  std::copy(batch.state.begin(), batch.state.end(), x.begin());
  return x;
}
template <class Body>
Attitude steps_of_body(Body body, KickFractions kicks, bool alternating) {
  body.set_state(attitude_start);
  for (int n = 0; n < 3; ++n) {
    if (!alternating) {
      EXPECT_TRUE(body.step());
      continue;
    }
    EXPECT_EQ(body.advance(0.25 * 0.1), Status::ok);
    EXPECT_EQ(body.advance(0.75 * 0.1, KickFractions{kicks.after, kicks.before}), Status::ok);
  }
  return body.state();
}

/// To the very bits, because they are the same equations; stages and adjoints, too.
TEST(ReferenceMethods, AreThoseOfThePlan) {
  for (const bool alternating : {false, true}) {
    const double* const p = heavy_body.data();
    EXPECT_EQ(steps_of_backend(heavy_body, {"rattle"}, {0.5, 0.5}, alternating),
              steps_of_body(Rigid<RattleBody>(p, 0.1), {0.5, 0.5}, alternating));
    EXPECT_EQ(steps_of_backend(heavy_body, {"constraint-euler"}, {1, 0}, alternating),
              steps_of_body(Rigid<ConstraintEulerBody>(p, 0.1), {1, 0}, alternating));
    EXPECT_EQ(steps_of_backend(heavy_body, {"constraint-euler-adjoint"}, {0, 1}, alternating),
              steps_of_body(Rigid<ConstraintEulerAdjointBody>(p, 0.1), {0, 1}, alternating));
    EXPECT_EQ(steps_of_backend(free_body, {"moser-veselov", {{"order", 2.0}}}, {}, alternating),
              steps_of_body(Rigid<MoserVeselovBody>(free_body.data(), 0.1), {}, alternating));
  }
}

/// Two applications of one map with the roles of its kicks exchanged.
TEST(ReferenceMethods, AdjointsAreEachOthers) {
  Rigid<ConstraintEulerBody> first(heavy_body.data(), 0.1);
  Rigid<ConstraintEulerAdjointBody> second(heavy_body.data(), 0.1);
  first.set_state(attitude_start);
  second.set_state(attitude_start);
  ASSERT_EQ(first.advance(0.1, KickFractions{0, 1}), Status::ok);
  ASSERT_EQ(second.advance(0.1), Status::ok);
  EXPECT_EQ(first.state(), second.state());
}

}  // namespace
}  // namespace polhode::test
