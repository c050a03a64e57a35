// Steps commute with the symmetries of phi and H, and multipliers are invariant (McLachlan & Scovel 1995, Theorem 2):
// with rotations about the vertical, of the double pendulum, and with all motions of space, of a free molecule. The
// Lagrange top as matrices has a symmetry of H that is none of phi, rotations of the body about its axis,
//
//     (Q, P) -> (Q k, P k),   phi(Q k) = k^t phi(Q) k
//
// with which its steps commute, too; the matrix of multipliers becomes k^t mu k (sect. 6.2).
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "numerics/advance_by.hpp"
#include "numerics/dense.hpp"
#include "numerics/subject.hpp"
#include "numerics/support.hpp"
#include "polhode/method/constrained_motion.hpp"
#include "polhode/system/heavy_top_matrix.hpp"
#include "polhode/system/molecule_water.hpp"
#include "polhode/system/pendulum_chain.hpp"

namespace polhode::test {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

/// Shares of the kick before and after the motion, with every kind of momentum.
std::vector<Scheme> all_kicks() {
  std::vector<Scheme> all;
  for (const Momentum momentum : {Momentum::hidden_constraint, Momentum::tangent, Momentum::unprojected})
    for (const double before : {1.0, 0.5, 0.0})
      all.push_back({ConstrainedMotionOptions{.momentum = momentum}, {.before = before, .after = 1 - before}});
  return all;
}

Matrix3d rotation_about(const Vector3d& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

/// Motion of space.
struct Motion {
  Matrix3d turn;
  Vector3d shift;

  /// Of point masses.
  State operator()(State x) const {
    const auto bodies = x.size() / 6;
    for (Eigen::Index i = 0; i < 2 * bodies; ++i) {
      x.segment<3>(3 * i) = turn * x.segment<3>(3 * i);
      if (i < bodies) x.segment<3>(3 * i) += shift;
    }
    return x;
  }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine(seed) {}
  Vector3d vector() { return {normal_(engine), normal_(engine), normal_(engine)}; }
  double angle() { return 3 * normal_(engine); }
  Motion about_the_vertical() { return {rotation_about(Vector3d::UnitZ(), angle()), Vector3d::Zero()}; }
  Motion across_the_vertical() { return {rotation_about(Vector3d::UnitX(), 1), Vector3d::Zero()}; }
  Motion any(double shift) {
    const Vector3d axis = vector();
    return {rotation_about(axis, angle()), shift * vector()};
  }

  std::mt19937_64 engine;

 private:
  std::normal_distribution<double> normal_;
};

/// Largest and smallest differences of g(step(x)) and step(g(x)).
struct Differences {
  double most = 0, least = HUGE_VAL;
};
Differences differences(const Subject& subject, Random& random, const std::function<Motion()>& symmetry) {
  Differences found;
  for (const Method& method : catalog_methods()) {
    if (method.system != subject.system.name || method.name != "constraint-euler") continue;
    for (const Scheme& scheme : all_kicks())
      for (const int solver : method.solvers)
        for (int trial = 0; trial < 20; ++trial) {
          const Motion move = symmetry();
          const State x = subject.start(random.engine, scheme.momentum);
          State before = move(x), after = x;
          EXPECT_TRUE(subject.advance(solver, {{scheme}}, subject.step, 1, before));
          EXPECT_TRUE(subject.advance(solver, {{scheme}}, subject.step, 1, after));
          const double difference = subject.distance(move(after), before);
          found = {std::max(found.most, difference), std::min(found.least, difference)};
        }
  }
  return found;
}

TEST(Steps, OfPendulaCommuteWithRotationsAboutTheVertical) {
  const Subject& subject = subject_of("double-spherical-pendulum");
  Random random(101);
  const double most = differences(subject, random, [&] { return random.about_the_vertical(); }).most;
  EXPECT_LT(most, 1e-14);  // 2.8e-15 was measured
  EXPECT_GT(most, 0);      // they are two computations
  // Gravity turned: h g, over the size of the momenta.
  EXPECT_GT(differences(subject, random, [&] { return random.across_the_vertical(); }).least, 1e-3);
}

TEST(Steps, OfMoleculesCommuteWithMotionsOfSpace) {
  const Subject& subject = subject_of("molecule-water");
  Random random(103);
  const double most = differences(subject, random, [&] { return random.any(0.1); }).most;
  EXPECT_LT(most, 2e-14);  // the rounding of positions, which are shifted by their size, over h: 9e-15 was measured
  EXPECT_GT(most, 0);
}

/// Impulses h lambda and h mu of the constraints in a step of the first-order algorithm, from its ends alone: with p~ =
/// M (Q - q) / h,
///
///     G(q)^T h lambda = p - h V_q(q) - p~,   G(Q)^T h mu = p~ - P
template <class System>
Eigen::VectorXd impulses(double h, const State& x, const State& y) {
  constexpr int N = System::N, D = System::D;
  const typename System::template Model<double> model(std::data(System::example_parameters));
  const auto of = [](const auto& vector) {
    Vec<double, N> v;
    std::copy_n(vector.data(), N, v.v);
    return v;
  };
  const auto from = [](const Vec<double, N>& v) { return State(Eigen::Map<const State>(v.v, N)); };
  const auto solved = [&](const State& at, const State& force) {
    const auto rows = model.jacobian(of(at));
    Eigen::MatrixXd pull(N, D);
    for (int i = 0; i < D; ++i) pull.col(i) = from(rows[i]);
    const Eigen::VectorXd s = solve(pull, force);
    EXPECT_LT((pull * s - force).norm(), 1e-13 * x.tail(N).norm());  // nothing else acts
    return s;
  };
  const State q = x.head(N), p = x.tail(N), Q = y.head(N), P = y.tail(N);
  const State velocity = (Q - q) / h, between = from(model.momentum_of(of(q), of(velocity)));
  Eigen::VectorXd both(2 * D);
  both << solved(q, p - h * from(model.potential_gradient(of(q))) - between), solved(Q, between - P);
  return both;
}

/// Largest change of the impulses with a symmetry of the state, relative; and the smallest.
template <class System>
Differences changes_of_impulses(Random& random, const std::function<Motion()>& symmetry) {
  const Subject& subject = subject_of(System::name);
  const Scheme first_order = Kicks{.before = 1, .after = 0};
  const double h = 4 * subject.step;
  Differences found;
  for (int trial = 0; trial < 50; ++trial) {
    const Motion move = symmetry();
    const State x = subject.start(random.engine, Momentum::hidden_constraint), turned = move(x);
    State y = x, end = turned;
    EXPECT_TRUE(subject.advance(0, {{first_order}}, h, 1, y));
    EXPECT_TRUE(subject.advance(0, {{first_order}}, h, 1, end));
    const auto before = impulses<System>(h, x, y), after = impulses<System>(h, turned, end);
    const double change = (after - before).norm() / before.norm();
    found = {std::max(found.most, change), std::min(found.least, change)};
  }
  return found;
}

TEST(Multipliers, AreInvariant) {
  // Known to the rounding of Q over what they move it by, h^2 of an acceleration: 6e-14 and 3e-13 were measured.
  Random random(107);
  EXPECT_LT(changes_of_impulses<DoubleSphericalPendulum>(random, [&] { return random.about_the_vertical(); }).most,
            2e-13);
  EXPECT_GT(changes_of_impulses<DoubleSphericalPendulum>(random, [&] { return random.across_the_vertical(); }).least,
            1e-3);
  EXPECT_LT(changes_of_impulses<MoleculeWater>(random, [&] { return random.any(0.1); }).most, 1e-12);
}

using MatrixState = HeavyTopMatrix::State<double>;
using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Matrix3d position(const MatrixState& x) { return Eigen::Map<const RowMajor>(x.v); }
Matrix3d momentum(const MatrixState& x) { return Eigen::Map<const RowMajor>(x.v + 9); }

/// (Q k, P k).
MatrixState turned_in_the_body(const Matrix3d& k, const MatrixState& x) {
  MatrixState y;
  Eigen::Map<RowMajor>(y.v) = position(x) * k;
  Eigen::Map<RowMajor>(y.v + 9) = momentum(x) * k;
  return y;
}

MatrixState random_state(const TopParameters& body, Random& random) {
  const Vector3d axis = random.vector();
  const Eigen::Quaterniond q(rotation_about(axis, random.angle()));
  const Vector3d omega = random.vector();
  MatrixState x;
  HeavyTopMatrix::motion(body.data(), {q.w(), q.x(), q.y(), q.z()}, {omega[0], omega[1], omega[2]}, x.v);
  return x;
}

/// One step of kicks.
template <class Solver>
MatrixState stepped(const TopParameters& body, const Scheme& scheme, double h, MatrixState x) {
  using Map = ConstrainedMotion<HeavyTopMatrix, Solver>;
  const int sweeps = nominal_sweeps_by<Map>(body.data(), scheme, h);
  EXPECT_TRUE((advance_by<Map, double>(body.data(), scheme, h, sweeps, 1, x)));
  return x;
}

/// Symmetric matrices h lambda and h mu of the first-order algorithm from x to y, as in impulses(): G^T s is Q s.
struct MatrixImpulses {
  Matrix3d before, after;
};
MatrixImpulses impulses(const TopParameters& body, double h, const MatrixState& x, const MatrixState& y) {
  const double half_sum = (body[0] + body[1] + body[2]) / 2;
  const Vector3d alpha(half_sum - body[0], half_sum - body[1], half_sum - body[2]), chi(body[3], body[4], body[5]);
  const Matrix3d between = (position(y) - position(x)) * alpha.asDiagonal() / h;
  const Matrix3d gradient = body[6] * Vector3d::UnitZ() * chi.transpose();
  return {position(x).transpose() * (momentum(x) - h * gradient - between),
          position(y).transpose() * (between - momentum(y))};
}

constexpr TopParameters lagrange_top{1.5, 1.5, 0.9, 0, 0, 1, 1};

template <class Solver>
class LagrangeTop : public ::testing::Test {
 protected:
  /// Largest and smallest differences of step(x) k and step(x k), over all kinds of kicks.
  static Differences differences(const TopParameters& body, const Vector3d& axis, Random& random) {
    Differences found;
    for (const Scheme& scheme : all_kicks())
      for (int trial = 0; trial < 20; ++trial) {
        const Matrix3d k = rotation_about(axis, 1 + 0.1 * trial);
        MatrixState x = random_state(body, random);
        const MatrixState before = stepped<Solver>(body, scheme, 0.05, turned_in_the_body(k, x)),
                          after = turned_in_the_body(k, stepped<Solver>(body, scheme, 0.05, x));
        const double difference = largest_difference(before, after);
        found = {std::max(found.most, difference), std::min(found.least, difference)};
      }
    return found;
  }
};
using Solvers = ::testing::Types<NewtonSolver, NewtonSecantSolver, PsiFormSolver>;
TYPED_TEST_SUITE(LagrangeTop, Solvers);

TYPED_TEST(LagrangeTop, HasStepsThatCommuteWithTurnsAboutItsAxis) {
  Random random(109);
  // Rounding of the multipliers acts over h where the momentum is not projected, 1e-16 / h: 3.8e-15 was measured.
  EXPECT_LT(this->differences(lagrange_top, Vector3d::UnitZ(), random).most, 1e-14);
  TopParameters other = lagrange_top;
  other[0] = 1.4;  // two moments differ: H is not invariant
  EXPECT_GT(this->differences(other, Vector3d::UnitZ(), random).least, 1e-4);
  EXPECT_GT(this->differences(lagrange_top, Vector3d::UnitX(), random).least, 1e-3);
}

TYPED_TEST(LagrangeTop, HasMultipliersThatTurnAlong) {
  Random random(113);
  const Scheme first_order = Kicks{.before = 1, .after = 0};
  constexpr double h = 0.05;
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix3d k = rotation_about(Vector3d::UnitZ(), 1 + 0.1 * trial);
    const MatrixState x = random_state(lagrange_top, random), turned = turned_in_the_body(k, x);
    const auto mu = impulses(lagrange_top, h, x, stepped<TypeParam>(lagrange_top, first_order, h, x)),
               at_turned = impulses(lagrange_top, h, turned, stepped<TypeParam>(lagrange_top, first_order, h, turned));
    // The rounding of Q over h: 5.6e-15 was measured.
    EXPECT_LT((at_turned.before - k.transpose() * mu.before * k).norm(), 2e-14);
    EXPECT_LT((at_turned.after - k.transpose() * mu.after * k).norm(), 2e-14);
    EXPECT_LT((mu.before - mu.before.transpose()).norm(), 2e-14);
    EXPECT_LT((mu.after - mu.after.transpose()).norm(), 2e-14);
    EXPECT_GT((at_turned.before - mu.before).norm(), 5e-3);  // they are not invariant
  }
}

TEST(LagrangeTopConstraints, AreNotInvariant) {
  Random random(127);
  const HeavyTopMatrix::Model<double> model(lagrange_top.data());
  const auto phi = [&](const Matrix3d& Q) {
    Vec<double, 9> q;
    Eigen::Map<RowMajor>(q.v) = Q;
    const auto g = model.constraints(q);
    Matrix3d matrix;
    for_upper<3>([&](int i, int j) { matrix(i, j) = matrix(j, i) = (i == j ? 2 : 1) * g[upper<3>(i, j)]; });
    return matrix;
  };
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix3d k = rotation_about(Vector3d::UnitZ(), 1 + 0.1 * trial),
                   Q = Matrix3d::Identity() +
                       0.3 * (Matrix3d() << random.vector(), random.vector(), random.vector()).finished();
    EXPECT_LT((phi(Q * k) - k.transpose() * phi(Q) * k).norm(), 3e-15);  // 6e-16
    EXPECT_GT((phi(Q * k) - phi(Q)).norm(), 0.1);
  }
}

}  // namespace
}  // namespace polhode::test
