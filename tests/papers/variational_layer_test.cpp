// The standard layer (variational_layer.hpp): vectors tangent to TQ, the derivative of a Runge-Kutta method, and the
// projection to the constraints with its derivative.
#include "papers/variational_layer.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <complex>
#include <cstddef>
#include <random>
#include <vector>

#include "backend/reference/complex_step.hpp"
#include "numerics/dense.hpp"
#include "papers/variational_polynomial.hpp"
#include "papers/variational_stages.hpp"
#include "papers/variational_subject.hpp"

namespace polhode::test {
namespace {

constexpr double by_differences = 1e-9;  // central, with steps of 1e-6, of smooth functions of size 1

std::vector<VariationalCase> layer_cases() {
  std::vector<VariationalCase> cases = pendula_and_top();
  cases.push_back(bent_surface());
  cases.push_back(underwater_vehicle(Centres::apart));
  return cases;
}

double largest_element(const Eigen::MatrixXd& a) { return a.cwiseAbs().maxCoeff(); }

TEST(TangentVectorsOfTQ, AreVelocitiesOfCurvesThere) {  // (2.1)
  for (const VariationalCase& of : layer_cases()) {
    const ConstrainedLagrangian& problem = *of.problem;
    const Eigen::Index N = problem.N, n = N - problem.d;
    const LayerJet basis = tangent_jet(problem, of.q, of.v);
    Eigen::MatrixXd vectors(2 * N, 2 * n), conditions = Eigen::MatrixXd::Zero(2 * problem.d, 2 * N);
    vectors << basis.dq, basis.dv;
    conditions.topLeftCorner(problem.d, N) = conditions.bottomRightCorner(problem.d, N) = problem.jacobian(of.q);
    conditions.bottomLeftCorner(problem.d, N) = curvature_matrix(problem, of.q, of.v);
    EXPECT_LT(largest_element(product(conditions, vectors)), 2e-15) << of.name;
    EXPECT_EQ(rank(vectors), 2 * n);
    EXPECT_EQ(rank(conditions), 2 * problem.d);
    // Curves in TQ, whose velocities the basis spans.
    const Eigen::MatrixXd Z = kernel(problem.jacobian(of.q));
    const auto curve = [&](const Eigen::VectorXd& y) {
      const Eigen::VectorXd q = project_point(problem, of.q + product(Z, y.head(n))).q;
      const Eigen::VectorXd v = of.v + product(Z, y.tail(n));
      Eigen::VectorXd w(2 * N);
      w << q, tangential_part(problem, q, v);
      return w;
    };
    const Eigen::MatrixXd velocities = central_jacobian(curve, Eigen::VectorXd::Zero(2 * n));
    EXPECT_LT(largest_element(product(conditions, velocities)), by_differences) << of.name;
    const Eigen::MatrixXd inner = product(inverse(congruent(vectors, Eigen::MatrixXd::Identity(2 * N, 2 * N))),
                                          product(vectors.transpose(), velocities));
    EXPECT_LT(largest_element(velocities - product(vectors, inner)), by_differences) << of.name;
    EXPECT_GT(absolute_determinant(inner), 1e-3) << of.name;
  }
}

/// A Runge-Kutta step (q, v, S) in complex numbers, whose accelerations solve complex equations.
Eigen::VectorXcd complex_step_of(const ConstrainedLagrangian& problem, const LayerTable& table, double t,
                                 const Eigen::VectorXcd& w) {
  const Eigen::Index N = problem.N, d = problem.d;
  std::vector<Eigen::VectorXcd> slopes;
  Eigen::VectorXcd start(2 * N + 1);
  start << w, 0;
  const auto moved = [&](const std::vector<double>& weights) {
    Eigen::VectorXcd to = start;
    for (std::size_t j = 0; j < slopes.size(); ++j) to += t * weights[j] * slopes[j];
    return to;
  };
  for (const auto& row : table.a) {
    const Eigen::VectorXcd at = moved(row), q = at.head(N), v = at.segment(N, N);
    const Eigen::VectorXcd none = Eigen::VectorXcd::Zero(N + d);
    const auto residual = [&](const Eigen::VectorXcd& y) { return problem.residual(q, v, y.head(N), y.tail(d)); };
    const Eigen::VectorXcd constant = residual(none);
    Eigen::MatrixXcd matrix(N + d, N + d);
    for (Eigen::Index k = 0; k < N + d; ++k)
      matrix.col(k) = (residual(Eigen::VectorXcd::Unit(N + d, k)) - constant).head(N + d);
    const Eigen::VectorXcd solution = matrix.partialPivLu().solve(-constant.head(N + d));
    Eigen::VectorXcd slope(2 * N + 1);
    slope << v, solution.head(N), constant[N + d];
    slopes.push_back(slope);
  }
  return moved(table.b);
}

TEST(DerivativeOfALayer, IsTheMethodAppliedToTheFirstVariation) {
  for (const VariationalCase& of : layer_cases())
    for (const char* name : {"euler", "rk4", "dopri5"}) {
      const LayerTable& table = layer_table(name);
      const Eigen::Index N = of.problem->N;
      Eigen::VectorXd w(2 * N);
      w << of.q, of.v;
      const auto step = [&](const Eigen::VectorXcd& z) { return complex_step_of(*of.problem, table, 0.2, z); };
      const auto expected = complex_step_jacobian<Eigen::Dynamic>(step, w);
      const LayerJet jet = ExplicitLayer(table).flow(*of.problem, 0.2, full_jet(of.q, of.v));
      Eigen::MatrixXd derivative(2 * N + 1, 2 * N);
      derivative << jet.dq, jet.dv, jet.daction;
      EXPECT_LT(largest_element(derivative - expected), 1e-14 * largest_element(expected)) << of.name << name;
    }
}

TEST(Projection, LeavesTheConstraintsAlongTheirGradientsOnly) {  // (3.1), (3.2)
  std::mt19937_64 random(55);
  std::uniform_real_distribution<double> shift(-0.05, 0.05);
  for (const VariationalCase& of : layer_cases()) {
    const ConstrainedLagrangian& problem = *of.problem;
    Eigen::VectorXd from = of.q, theta(problem.d);
    for (double& x : from) x += shift(random);
    for (double& x : theta) x = shift(random);
    const ProjectedPoint at = project_point(problem, from);
    EXPECT_LT(largest_element(problem.constraints(at.q)), 4e-16) << of.name;
    EXPECT_LT(largest_element(at.q + product(problem.jacobian(at.q).transpose(), at.theta) - from), 4e-16) << of.name;
    EXPECT_LT(largest_element(product(kernel(problem.jacobian(at.q)).transpose(), from - at.q)), 1e-15) << of.name;
    EXPECT_LT(largest_element(project_point(problem, of.q).q - of.q), 4e-16) << of.name;
    // A fibre of constant theta arrives where it began.
    const Eigen::VectorXd along = of.q + product(problem.jacobian(of.q).transpose(), theta);
    EXPECT_LT(largest_element(project_point(problem, along).q - of.q), 1e-15) << of.name;
    // It is the nearest point: others are farther by the square of their distance.
    const Eigen::MatrixXd Z = kernel(problem.jacobian(at.q));
    for (const double sign : {-1., 1.}) {
      const Eigen::VectorXd aside = sign * 0.01 * product(Z, Eigen::VectorXd::Ones(Z.cols()));
      EXPECT_GT((project_point(problem, at.q + aside).q - from).norm(), (at.q - from).norm() + 1e-5) << of.name;
    }
  }
}

TEST(Projection, HasTheDerivativeOfItsBorderedSystem) {  // (4.5) to (4.8)
  std::mt19937_64 random(56);
  std::uniform_real_distribution<double> shift(-0.05, 0.05);
  for (const VariationalCase& of : layer_cases()) {
    const ConstrainedLagrangian& problem = *of.problem;
    const Eigen::Index N = problem.N, d = problem.d;
    Eigen::VectorXd from = of.q;
    for (double& x : from) x += shift(random);
    const ProjectedPoint at = project_point(problem, from);
    const Eigen::MatrixXd DP = project_directions(problem, at, Eigen::MatrixXd::Identity(N, N));
    const auto projected = [&](const Eigen::VectorXd& x) { return project_point(problem, x).q; };
    EXPECT_LT(largest_element(DP - central_jacobian(projected, from)), by_differences) << of.name;
    EXPECT_LT(largest_element(DP - DP.transpose()), 1e-14) << of.name;
    EXPECT_LT(largest_element(product(problem.jacobian(at.q), DP)), 1e-14) << of.name;
    // (4.7) with its further unknown z, and (4.8) with theta = 0: on the constraints DP takes the part along Dg away.
    const Eigen::VectorXd lambda = Eigen::VectorXd::LinSpaced(N, 1, 2);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(N + d);
    right.head(N) = lambda;
    const Eigen::VectorXd hat = solve(projection_matrix(problem, at), right).head(N);
    EXPECT_LT(largest_element(hat - product(DP.transpose(), lambda)), 1e-14) << of.name;
    const ProjectedPoint on{at.q, Eigen::VectorXd::Zero(d)};
    EXPECT_LT(
        largest_element(solve(projection_matrix(problem, on), right).head(N) - tangential_part(problem, at.q, lambda)),
        1e-14)
        << of.name;
    EXPECT_GT(largest_element(hat - tangential_part(problem, at.q, lambda)), 1e-4) << of.name;
  }
}

/// (q, v) with blocks of three components turned by a matrix: on the left, or, of a matrix by rows, on the right.
enum class Side { left, right };
Eigen::VectorXd turned_blocks(const Eigen::Matrix3d& turn, Side side, const Eigen::VectorXd& x) {
  Eigen::VectorXd y = x;
  if (side == Side::right) {
    for (int k = 0; k < x.size(); k += 3) y.segment<3>(k) = turn.transpose() * Eigen::Vector3d(x.segment<3>(k));
    return y;
  }
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) y[3 * i + j] = turn(i, 0) * x[j] + turn(i, 1) * x[3 + j] + turn(i, 2) * x[6 + j];
  return y;
}

TEST(ExplicitLayers, CommuteWithLinearSymmetriesAndKeepTheAction) {
  const Eigen::Matrix3d about_z = Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const Eigen::Matrix3d about_x = Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitX()).toRotationMatrix();
  const struct {
    VariationalCase of;
    Side side;
  } rows[] = {{spherical_pendulum(), Side::right},
              {magnetic_pendulum(), Side::right},
              {double_pendulum_by_links(), Side::right},
              {top_by_matrices(), Side::left},
              {top_by_matrices({0.5, 0.5, 1}), Side::right}};
  for (const auto& [of, side] : rows)
    for (const char* name : {"euler", "kutta3", "dop853"}) {
      const ExplicitLayer layer(layer_table(name));
      const auto defect = [&](const Eigen::Matrix3d& turn) {
        const LayerJet end = layer.flow(*of.problem, 0.2, point_jet(of.q, of.v));
        const LayerJet other =
            layer.flow(*of.problem, 0.2, point_jet(turned_blocks(turn, side, of.q), turned_blocks(turn, side, of.v)));
        return std::max({largest_element(other.q - turned_blocks(turn, side, end.q)),
                         largest_element(other.v - turned_blocks(turn, side, end.v)),
                         std::abs(other.action - end.action)});
      };
      EXPECT_LT(defect(about_z), 2e-14) << of.name << name;  // rounding of some stages
      EXPECT_GT(defect(about_x), 1e-3) << of.name << name;   // no symmetry
    }
}

}  // namespace
}  // namespace polhode::test
