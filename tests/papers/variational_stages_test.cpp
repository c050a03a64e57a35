// One step as a solution of the discrete Euler-Lagrange equations, in all formulations of Patrick, Cuell, Spiteri &
// Zhang, Figures 1 and 2, and as a critical point of the discrete action.
#include "papers/variational_stages.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "numerics/dense.hpp"
#include "papers/variational_polynomial.hpp"
#include "papers/variational_subject.hpp"

namespace polhode::test {
namespace {

constexpr double step_length = 0.1;
const double biases[] = {0, -1, -0.5, -0.3};

std::vector<VariationalCase> staged_cases() {
  std::vector<VariationalCase> cases = pendula_and_top();
  cases.push_back(bent_surface());
  return cases;
}

/// The largest element of a matrix or vector.
double magnitude_of(const Eigen::MatrixXd& a) { return a.cwiseAbs().maxCoeff(); }

/// The rank of a Jacobian by differences, which are exact to 1e-9; its least singular value is of the order of h^2.
Eigen::Index rank_by_differences(const Eigen::MatrixXd& a) {
  return Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(a).setThreshold(1e-7).rank();
}

TEST(DiscreteEulerLagrange, IsSolvedOnTQByEachStep) {  // Stage 0
  for (const VariationalCase& of : staged_cases())
    for (const double bias : biases) {
      const TableIntegrator integrator(of, "rk4", bias, step_length);
      VelocityPoint w{of.q, of.v};
      for (int n = 0; n < 3; ++n) {
        const VariationalStage stage = stage_equations(0, *integrator, w);
        EXPECT_LT(magnitude_of(stage.residual(stage.solution)), 4e-15) << of.name << bias;
        w = integrator->step(w);
        EXPECT_LT(magnitude_of(of.problem->constraints(w.q)), 4e-16) << of.name << bias;
        EXPECT_LT(magnitude_of(product(of.problem->jacobian(w.q), w.v)), 4e-15) << of.name << bias;
      }
    }
}

TEST(Stages, AreEquivalentAndHaveAsManyEquationsAsUnknowns) {  // of 0, 1, 2 and 4, which has those of 3
  for (const VariationalCase& of : {spherical_pendulum(), double_pendulum_by_links()})
    for (const double bias : {0., -0.3}) {
      const TableIntegrator integrator(of, "heun", bias, step_length);
      const int N = of.problem->N, d = of.problem->d;
      const struct {
        int stage, unknowns;
      } rows[] = {{0, 5 * (N - d)}, {1, 5 * N - d}, {2, 5 * N + 2 * d}, {4, 12 * N + 5 * d}};
      for (const auto& [number, unknowns] : rows) {
        SCOPED_TRACE(number);
        const VariationalStage stage = stage_equations(number, *integrator, {of.q, of.v});
        const Eigen::VectorXd residual = stage.residual(stage.solution);
        EXPECT_EQ(stage.solution.size(), unknowns);  // Stage 4: with d unknowns theta+, not 2 d
        EXPECT_EQ(residual.size(), unknowns);
        EXPECT_LT(magnitude_of(residual), 4e-15) << of.name;
        // No other solution is near.
        EXPECT_EQ(rank_by_differences(central_jacobian(stage.residual, stage.solution)), unknowns) << of.name;
      }
    }
}

TEST(Stages, HaveTheDiscreteMomentaAsMultipliersAndNoOthersWhereTheseAreTangential) {
  for (const VariationalCase& of : {spherical_pendulum(), double_pendulum_by_links()}) {
    const TableIntegrator integrator(of, "rk4", -0.3, step_length);
    const int N = of.problem->N, d = of.problem->d;
    const VelocityPoint w1{of.q, of.v}, w2 = integrator->step(w1);
    const LegendrePair first = integrator->legendre(w1), second = integrator->legendre(w2);
    EXPECT_LT(distance_of(first.plus, second.minus), 2e-15);
    const VariationalStage stage = stage_equations(2, *integrator, w1);
    EXPECT_LT(magnitude_of(stage.solution.head(N) + first.minus.p), 1e-15);
    EXPECT_LT(magnitude_of(stage.solution.segment(N, N) - first.plus.p), 1e-15);
    EXPECT_LT(magnitude_of(stage.solution.segment(2 * N, N) - second.plus.p), 1e-15);
    // Without (S2.4) each of the three covectors has d free components, and w2, the last unknowns, has none.
    const Eigen::MatrixXd jacobian = central_jacobian(stage.residual, stage.solution);
    const Eigen::MatrixXd without = jacobian.topRows(5 * N - d), free = without.leftCols(3 * N + 4 * d);
    EXPECT_EQ(rank_by_differences(without), 5 * N - d);
    EXPECT_EQ(rank_by_differences(free), 3 * N + d);
    EXPECT_EQ(rank_by_differences(without) - rank_by_differences(free), 2 * (N - d));
    Eigen::VectorXd other = stage.solution;
    other.segment(N, N) += of.problem->jacobian(first.plus.q).row(0).transpose();
    EXPECT_LT(magnitude_of(stage.residual(other).head(5 * N - d)), 4e-15);
    EXPECT_GT(magnitude_of(stage.residual(other)), 0.5);
  }
}

/// w with d-(w) and d+(w) given, by Newton's iteration with differences from a point nearby.
VelocityPoint between(const VariationalIntegrator& integrator, const Eigen::VectorXd& minus,
                      const Eigen::VectorXd& plus, VelocityPoint w) {
  const ConstrainedLagrangian& problem = integrator.problem();
  const Eigen::MatrixXd Z_minus = kernel(problem.jacobian(minus)), Z_plus = kernel(problem.jacobian(plus));
  const Eigen::Index n = Z_minus.cols();
  for (int k = 0; k < 6; ++k) {
    const LayerJet basis = tangent_jet(problem, w.q, w.v);
    const CurveSegment curve = integrator.segment(basis);
    Eigen::MatrixXd matrix(2 * n, 2 * n);
    matrix << product(Z_minus.transpose(), curve.minus.dq), product(Z_plus.transpose(), curve.plus.dq);
    Eigen::VectorXd off(2 * n);
    off << product(Z_minus.transpose(), curve.minus.at.q - minus), product(Z_plus.transpose(), curve.plus.at.q - plus);
    const Eigen::VectorXd change = solve(matrix, off);
    w.q = project_point(problem, w.q - product(basis.dq, change)).q;
    w.v = tangential_part(problem, w.q, w.v - product(basis.dv, change));
  }
  return w;
}

TEST(DiscreteAction, IsCriticalUnderTheConstraints) {
  for (const VariationalCase& of : staged_cases())
    for (const double bias : {0., -0.3}) {
      const TableIntegrator integrator(of, "heun", bias, step_length);
      const ConstrainedLagrangian& problem = *of.problem;
      const VelocityPoint w1{of.q, of.v}, w2 = integrator->step(w1);
      const LegendrePair first = integrator->legendre(w1), second = integrator->legendre(w2);
      const auto action = [&](const VelocityPoint& w) { return integrator->segment(point_jet(w.q, w.v)).action; };
      const Eigen::MatrixXd Z = kernel(problem.jacobian(first.plus.q));
      const Eigen::VectorXd u = product(Z, Eigen::VectorXd::LinSpaced(Z.cols(), 1, 0.5));
      // Both segments with the joint moved by e u, and the ends where they are.
      const auto sum = [&](double e, const VelocityPoint& last, const Eigen::VectorXd& end) {
        const Eigen::VectorXd joint = project_point(problem, first.plus.q + e * u).q;
        return action(between(*integrator, first.minus.q, joint, w1)) + action(between(*integrator, joint, end, last));
      };
      constexpr double e = 1e-4;
      const double ahead = sum(e, w2, second.plus.q), here = sum(0, w2, second.plus.q);
      const double back = sum(-e, w2, second.plus.q);
      // Third derivatives are at most 100, of kinetic energies over h: 100 e^2; and rounding over e.
      EXPECT_LT(std::abs(ahead - back) / (2 * e), 1e-6) << of.name << bias;
      EXPECT_GT(std::abs(ahead - 2 * here + back) / (e * e), 1) << of.name << bias;
      // Where another segment follows, there is a slope.
      VelocityPoint other = w2;
      other.v *= 1.1;
      const Eigen::VectorXd end = integrator->segment(point_jet(other.q, other.v)).plus.at.q;
      EXPECT_GT(std::abs(sum(e, other, end) - sum(-e, other, end)) / (2 * e), 1e-3) << of.name << bias;
    }
}

TEST(TangentVectorsOfTQ, SplitIntoTheKernelsOfBothEnds) {
  for (const VariationalCase& of : staged_cases())
    for (const double bias : biases) {
      const Eigen::Index n = of.problem->N - of.problem->d;
      for (const double h : {0.1, 0.05, 0.025}) {
        const TableIntegrator integrator(of, "rk4", bias, h);
        const CurveSegment curve = integrator->segment(tangent_jet(*of.problem, of.q, of.v));
        const Eigen::MatrixXd Z_minus = kernel(of.problem->jacobian(curve.minus.at.q));
        const Eigen::MatrixXd Z_plus = kernel(of.problem->jacobian(curve.plus.at.q));
        const Eigen::MatrixXd minus = product(Z_minus.transpose(), curve.minus.dq);
        const Eigen::MatrixXd plus = product(Z_plus.transpose(), curve.plus.dq);
        Eigen::MatrixXd both(2 * n, 2 * n), kernels(2 * n, 2 * n);
        both << minus, plus;
        kernels << kernel(minus), kernel(plus);
        EXPECT_EQ(rank(minus), n);
        EXPECT_EQ(rank(plus), n);
        EXPECT_EQ(rank(kernels), 2 * n) << of.name << bias;
        // The splitting is as good as the step is long: the determinant is h^n (1 + O(h)).
        const double volume = absolute_determinant(both) / std::pow(h, n);
        EXPECT_NEAR(volume, 1, 0.5 * h) << of.name << bias;
      }
    }
}

TEST(TangentVectorsOfTQ, DoNotSplitAtAConjugatePoint) {
  // About its lowest point the pendulum swings by h = pi from any velocity to the same place.
  VariationalCase of = planar_pendulum();
  of.q = Eigen::Vector2d(0, -1), of.v = Eigen::Vector2d(0, 0);
  const auto volume = [&](double h) {
    const TableIntegrator integrator(of, "dop853", 0, h);
    const CurveSegment curve = integrator->segment(tangent_jet(*of.problem, of.q, of.v));
    Eigen::Matrix2d both;
    both << curve.minus.dq.row(0), curve.plus.dq.row(0);
    return both.determinant();
  };
  EXPECT_LT(volume(3.1) * volume(3.2), 0);
}

TEST(LinearMaps, VanishOnAKernelIfAndOnlyIfTheyFactor) {  // Lemma 3.1
  std::mt19937_64 random(57);
  std::normal_distribution<double> normal;
  const auto filled = [&](int rows, int columns) {
    return Eigen::MatrixXd(Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); }));
  };
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::MatrixXd mu = filled(3, 7), Z = kernel(mu), any = filled(4, 7);
    const Eigen::MatrixXd A = any - product(product(any, Z), Z.transpose());  // zero on ker mu
    const auto factor_of = [&](const Eigen::MatrixXd& a) {
      return Eigen::MatrixXd(product(product(a, mu.transpose()), inverse(product(mu, mu.transpose()))));
    };
    EXPECT_LT(magnitude_of(A - product(factor_of(A), mu)), 1e-13);
    EXPECT_LT(magnitude_of(product(product(filled(4, 3), mu), Z)), 1e-14);
    EXPECT_GT(magnitude_of(any - product(factor_of(any), mu)), 0.1);  // which is the nearest of that form
  }
}

}  // namespace
}  // namespace polhode::test
