// The rigid body and the heavy top as 3x3 matrices: the same motions as heavy-top and rigid-body, step for step, and
// those of acceptance C and D.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "numerics/support.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/method/rattle_tn.hpp"
#include "polhode/method/shake.hpp"
#include "polhode/system/heavy_top_matrix.hpp"
#include "polhode/system/rigid_body_matrix.hpp"

namespace polhode::test {
namespace {

using MatrixState = Vec<double, 18>;

/// Q of a unit quaternion.
Mat<double, 3, 3> rotation(const Quaternion& q) {
  Mat<double, 3, 3> Q;
  for (int i = 0; i < 3; ++i) Q[i] = space_axis(Vec<double, 4>{q[0], q[1], q[2], q[3]}, i);
  return Q;
}

/// Q and P = Q hat(Omega) D for the body of `inertia`[3].
MatrixState to_matrices(const double* inertia, const std::array<double, 3>& pi, const Quaternion& attitude) {
  const Mat<double, 3, 3> Q = rotation(attitude);
  const Vec<double, 3> omega{pi[0] / inertia[0], pi[1] / inertia[1], pi[2] / inertia[2]};
  MatrixState x;
  for (int i = 0; i < 3; ++i) {
    const Vec<double, 3> turning = cross(Q[i], omega);  // row i of Q hat(Omega)
    for (int j = 0; j < 3; ++j) {
      x[3 * i + j] = Q[i][j];
      x[9 + 3 * i + j] = turning[j] * (inertia[(j + 1) % 3] + inertia[(j + 2) % 3] - inertia[j]) / 2;
    }
  }
  return x;
}

/// Pi and Gamma as the system derives them.
template <class System>
Vec<double, 6> reduced(const typename System::template Model<double>& model, const MatrixState& x) {
  Vec<double, 6> r;
  for (int i = 0; i < 6; ++i) r[i] = model.observe(System::dim + 1 + i, x);
  return r;
}

template <class Method, class System, class Solver>
using Matrices = BoundMethod<Method, ConstrainedMotion<System, Solver>>;

/// A method on matrices, and the one that it is on the reduced top.
template <class Method, class Solver, class ReducedMethod = Method>
struct Pairing {
  template <class System>
  using OnMatrices = Matrices<Method, System, Solver>;
  using Reduced = BoundMethod<ReducedMethod, KickedRotation<HeavyTop, CayleySolver>>;
};

template <class Which>
class MatrixTop : public ::testing::Test {};
using Pairings =
    ::testing::Types<Pairing<RattleMethod, NewtonSecantSolver>, Pairing<RattleMethod, NewtonSolver>,
                     Pairing<RattleMethod, PsiFormSolver>, Pairing<RattleTnMethod, NewtonSecantSolver, RattleMethod>,
                     Pairing<ShakeMethod, NewtonSecantSolver, RattleMethod>,
                     Pairing<ConstraintEulerMethod, NewtonSecantSolver>,
                     Pairing<ConstraintEulerAdjointMethod, NewtonSecantSolver>>;
TYPED_TEST_SUITE(MatrixTop, Pairings);

/// Largest difference of Pi and Gamma after the same steps on matrices and on the reduced top, which starts from what
/// the matrices say.
template <class Which, class System>
double difference(const TopParameters& body, const Point& start, double h, int steps) {
  const typename System::template Model<double> model(body.data());
  const HeavyTop::Model<double> top(body.data());
  MatrixState x = to_matrices(body.data(), {start[0], start[1], start[2]}, attitude_of(start));
  auto r = reduced<System>(model, x);
  EXPECT_TRUE((advance<typename Which::template OnMatrices<System>, double>(body, h, steps, x)));
  EXPECT_TRUE((advance<typename Which::Reduced, double>(body, h, steps, r)));
  return largest_difference(reduced<System>(model, x), r);
}

TYPED_TEST(MatrixTop, IsTheReducedTopOverAStepOfAnyBody) {
  std::mt19937_64 random(41);
  for (int trial = 0; trial < 200; ++trial) {
    TopParameters body = random_body(random);
    const Point start = random_point(random);
    // The multipliers are known to round-off of the position over h^2 and act over h: 1e-16 / h on a momentum up to 5,
    // of which the projection takes away what is not tangent. Measured: 2.7e-15.
    EXPECT_LT((difference<TypeParam, HeavyTopMatrix>(body, start, 0.05, 1)), 1e-14) << trial;
    body[6] = 0;
    EXPECT_LT((difference<TypeParam, RigidBodyMatrix>(body, start, 0.05, 1)), 1e-14) << trial;
  }
}

TYPED_TEST(MatrixTop, IsTheReducedTopAlongARegularOrbit) {
  // Round-off is a random walk in the frequencies, so that the difference grows with the power 3/2 of the number of
  // steps (relations_test.cpp). Measured after 1000: at most 5e-13.
  TopParameters body = figure_top;
  for (const int steps : {1, 10, 100, 1000})
    EXPECT_LT((difference<TypeParam, HeavyTopMatrix>(body, figure_start(0.5, 0.64), figure_step, steps)),
              1e-14 + 5e-17 * std::pow(steps, 1.5))
        << steps << " steps";
  body[6] = 0;
  for (const int steps : {1, 10, 100, 1000})
    EXPECT_LT((difference<TypeParam, RigidBodyMatrix>(body, body_start, figure_step, steps)),
              1e-14 + 5e-17 * std::pow(steps, 1.5))
        << steps << " steps";
}

/// Element ij of hat(v).
double hat(const Vec<double, 3>& v, int i, int j) {
  Vec<double, 3> e{0, 0, 0};
  e[j] = 1;
  return cross(v, e)[i];
}

/// How far left-invariant functions of the matrices are from what they are of the reduced top, after some steps.
struct Misses {
  double momentum = 0;  ///< of 2 Q^T P, which is hat(Pi) on TN
  double velocity = 0;  ///< of Q^T P D^-1, which is hat(Omega) on CM
  MatrixState end;
};
template <class Method>
Misses misses(double h, int steps) {
  const TopParameters& body = figure_top;
  const Point start = figure_start(0.5, 0.64);
  const HeavyTopMatrix::Model<double> model(body.data());
  Misses off{.end = to_matrices(body.data(), {start[0], start[1], start[2]}, attitude_of(start))};
  auto r = reduced<HeavyTopMatrix>(model, off.end);
  EXPECT_TRUE((advance<Matrices<Method, HeavyTopMatrix, NewtonSolver>, double>(body, h, steps, off.end)));
  EXPECT_TRUE((advance<Rattle<HeavyTop, CayleySolver>, double>(body, h, steps, r)));
  const Vec<double, 3> pi = HeavyTop::angular_momentum(r);
  const Vec<double, 3> omega{pi[0] / body[0], pi[1] / body[1], pi[2] / body[2]};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double m = 0;  // of Q^T P
      for (int k = 0; k < 3; ++k) m += off.end[3 * k + i] * off.end[9 + 3 * k + j];
      off.momentum = std::max(off.momentum, std::abs(2 * m - hat(pi, i, j)));
      off.velocity = std::max(off.velocity, std::abs(m / HeavyTopMatrix::alpha(body.data(), j) - hat(omega, i, j)));
    }
  return off;
}

TEST(MatrixTops, ReduceByTheLastProjection) {
  // Sect. 1 of McLachlan & Scovel 1995: without it, in SHAKE, the positions are the same, but Q^T P is not in so(3),
  // nor Q^T P D^-1. (Where constraint forces are divided out, as in Q^T P - P^T Q, nothing is missed: the suite above.)
  for (const int steps : {1, 100}) {
    const Misses tangent = misses<RattleTnMethod>(0.05, steps), hidden = misses<RattleMethod>(0.05, steps),
                 none = misses<ShakeMethod>(0.05, steps), finer = misses<ShakeMethod>(0.025, 2 * steps);
    const double round_off = 5e-15 * std::sqrt(steps);  // 1e-15 and 2.5e-15 were measured
    EXPECT_LT(tangent.momentum, round_off);
    EXPECT_LT(hidden.velocity, round_off);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(none.end[k], hidden.end[k], round_off);
    EXPECT_GT(none.momentum, 0.4);
    EXPECT_NEAR(finer.momentum / none.momentum, 1, 0.1);  // CM is not TN, at any step
    EXPECT_GT(none.velocity, 0.03);
    EXPECT_NEAR(std::log2(none.velocity / finer.velocity), 1, 0.05);  // the impulse of a step; 1.02
  }
}

TEST(MatrixTops, AreNotTheReducedTopOfAnotherMethod) {
  using Wrong = Pairing<ConstraintEulerMethod, NewtonSecantSolver, RattleMethod>;
  EXPECT_GT((difference<Wrong, HeavyTopMatrix>(figure_top, figure_start(0.5, 0.64), figure_step, 1)),
            1e-4);  // c h^2 / 2
}

TEST(MatrixTops, MayBreakTheTriangleInequality) {
  // Water: alpha3 = -0.001, a negative mass; on the constraints the kinetic energy is positive all the same.
  const TopParameters water{0.345, 0.653, 1.0, 0, 0, 1, 1};
  EXPECT_EQ(HeavyTopMatrix::invalid_reason(water.data()), nullptr);
  using Which = Pairing<RattleMethod, NewtonSecantSolver>;
  EXPECT_LT((difference<Which, HeavyTopMatrix>(water, body_start, 0.02, 100)), 1e-11);  // 1/alpha3 = 1000 units
  const HeavyTopMatrix::Model<double> model(water.data());
  double x[18];
  HeavyTopMatrix::example_state(water.data(), x);
  EXPECT_FALSE(model.is_singular({x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]}));
}

TEST(MatrixTops, RefuseABodyWithoutMass) {
  const double flat[] = {0.7, 0.4, 1.1};  // I1 + I2 = I3 up to a rounding
  EXPECT_STREQ(RigidBodyMatrix::invalid_reason(flat),
               "alpha3 = 0, a flat body, I3 = I1 + I2: its matrices have no inverse mass");
  EXPECT_EQ(RigidBodyMatrix::invalid_reason(figure_top.data()), nullptr);
}

TEST(MatrixTops, ConserveTheSpatialMomentum) {
  // Ten thousand steps of round-off 1e-16 of terms up to 4, a random walk: 4e-14; with all errors of one sign 4e-12.
  // Measured: 9e-14.
  std::mt19937_64 random(43);
  for (int trial = 0; trial < 5; ++trial) {
    TopParameters body = random_body(random);
    const Point start = random_point(random);
    const auto drift = [&]<class System>(System) {
      const typename System::template Model<double> model(body.data());
      const MatrixState first = to_matrices(body.data(), {start[0], start[1], start[2]}, attitude_of(start));
      MatrixState x = first;
      EXPECT_TRUE((advance<Matrices<RattleMethod, System, NewtonSecantSolver>, double>(body, 0.02, 10000, x)));
      double worst = 0;
      for (int i = 1; i < System::n_invariants; ++i)
        worst = std::max(worst, std::abs(model.invariant(i, x) - model.invariant(i, first)));
      return worst;
    };
    EXPECT_LT(drift(HeavyTopMatrix{}), 1e-12);
    body[6] = 0;
    EXPECT_LT(drift(RigidBodyMatrix{}), 1e-12);
  }
}

TEST(MatrixTops, HaveTheEnergyAndMomentaOfTheBody) {
  std::mt19937_64 random(47);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 100; ++trial) {
    const TopParameters body = random_body(random);
    const std::array<double, 3> pi{normal(random), normal(random), normal(random)};
    Quaternion attitude{normal(random), normal(random), normal(random), normal(random)};
    const double norm = std::hypot(std::hypot(attitude[0], attitude[1]), std::hypot(attitude[2], attitude[3]));
    for (double& component : attitude) component /= norm;
    const auto rigid = to_state<RigidBody, double>(pi, attitude);
    const RigidBody::Model<double> exact(body.data());
    const MatrixState x = to_matrices(body.data(), pi, attitude);
    const HeavyTopMatrix::Model<double> top(body.data());
    const RigidBodyMatrix::Model<double> free(body.data());
    const double tolerance = 2e-14;  // some units in the last place of 20
    EXPECT_NEAR(top.energy(x), exact.energy(rigid), tolerance);
    EXPECT_NEAR(free.energy(x), exact.energy(RigidBody::angular_momentum(rigid), {}), tolerance);
    EXPECT_NEAR(top.invariant(1, x), exact.invariant(2, rigid), tolerance);
    const int momentum[] = {3, 4, 2};  // of rigid-body: x, y, z
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(free.invariant(1 + i, x), exact.invariant(momentum[i], rigid), tolerance);
    EXPECT_NEAR(free.invariant(4, x), pi[0] * pi[0] + pi[1] * pi[1] + pi[2] * pi[2], tolerance);
  }
}

/// Distance of Q from that of a quaternion, Frobenius.
double attitude_error(const MatrixState& x, const Quaternion& exact) {
  const Mat<double, 3, 3> Q = rotation(exact);
  double sum = 0;
  for (int k = 0; k < 9; ++k) sum += (x[k] - Q[k / 3][k % 3]) * (x[k] - Q[k / 3][k % 3]);
  return std::sqrt(sum);
}
/// Body axis j in space.
Vec<double, 3> body_axis(const MatrixState& x, int j) { return {x[j], x[3 + j], x[6 + j]}; }

template <class Which>
class MatrixAcceptance : public ::testing::Test {};
using SecondOrder = ::testing::Types<Pairing<RattleMethod, NewtonSecantSolver>,
                                     Pairing<RattleTnMethod, NewtonSecantSolver>, Pairing<RattleMethod, PsiFormSolver>>;
TYPED_TEST_SUITE(MatrixAcceptance, SecondOrder);

TYPED_TEST(MatrixAcceptance, FollowsTheFastTop) {
  using Method = typename TypeParam::template OnMatrices<HeavyTopMatrix>;
  const MatrixState start = to_matrices(fast_top::body.data(), fast_top::pi, fast_top::attitude);
  const HeavyTopMatrix::Model<double> model(fast_top::body.data());
  EXPECT_NEAR(model.energy(start), fast_top::energy, 4e-12);  // four units in the last place
  const auto after = [&](double t, int steps) {
    MatrixState x = start;
    EXPECT_TRUE((advance<Method, double>(fast_top::body, t / steps, steps, x)));
    return x;
  };
  expect_order_2([&](int steps) { return attitude_error(after(0.2, steps), fast_top::attitude_at_0_2); }, 400);
  expect_order_2([&](int steps) { return pi_error(body_axis(after(1, steps), 1), fast_top::centre_at_1); }, 2000);
}

TYPED_TEST(MatrixAcceptance, PrecessesSteadily) {
  using Method = typename TypeParam::template OnMatrices<HeavyTopMatrix>;
  const double* const body = steady_precession::body.data();
  const HeavyTopMatrix::Model<double> model(body);
  // Largest distance of the centre of mass from the exact one over [0, 1], over l.
  const auto error = [&](int steps) {
    const typename Method::template Step<double> step(model, 1.0 / steps,
                                                      Method::template nominal_sweeps<double>(body, 1.0 / steps));
    MatrixState x = to_matrices(body, steady_precession::pi, steady_precession::attitude);
    double worst = 0;
    for (int n = 1; n <= steps; ++n) {
      EXPECT_TRUE(step(x, x, true));
      worst = std::max(worst, pi_error(body_axis(x, 2), steady_precession::centre(double(n) / steps)));
    }
    return worst;
  };
  expect_order_2(error, 1000);
}

}  // namespace
}  // namespace polhode::test
