// The iteration of Patrick, Cuell, Spiteri & Zhang for their Stage 4, with its approximates; and what the multipliers
// are when the constraints are written in another way.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "numerics/dense.hpp"
#include "papers/variational_stages.hpp"
#include "papers/variational_subject.hpp"

namespace polhode::test {
namespace {

/// Error in w2, the last 2 N unknowns, after the iterations, or 1e3 where it is no smaller.
double error_after(const StageIteration& iteration, int N, int count) {
  Eigen::VectorXd x = iteration.start();
  double error = 0;
  for (int k = 0; k < count; ++k) {
    x = iteration.next(x);
    error = (x - iteration.solution()).tail(2 * N).cwiseAbs().maxCoeff();
    if (!(error < 1e3)) return 1e3;
  }
  return error;
}

TEST(StageFour, IsSolvedByItsIteration) {
  for (const VariationalCase& of : pendula_and_top())
    for (const double bias : {0., -0.5}) {
      const TableIntegrator integrator(of, "rk4", bias, 0.1);
      const StageIteration iteration(*integrator, {of.q, of.v});
      // Rates of at most 0.44: 0.44^45 = 1e-16.
      EXPECT_LT(error_after(iteration, of.problem->N, 45), 1e-14) << of.name << bias;
      EXPECT_GT(error_after(iteration, of.problem->N, 6), 1e-9) << of.name << bias;
    }
}

TEST(StageFour, ContractsByTwoThirdsOfAPowerOfTheStep) {
  const struct {
    VariationalCase of;
    double bias, rate;  // at h = 0.025
  } rows[] = {{spherical_pendulum(), 0, 0.111},
              {spherical_pendulum(), -0.5, 0.0918},
              {magnetic_pendulum(), 0, 0.111},
              {double_pendulum_by_links(), 0, 0.109}};
  for (const auto& [of, bias, expected] : rows) {
    const auto rate = [&](double h) {
      const TableIntegrator integrator(of, "rk4", bias, h);
      return StageIteration(*integrator, {of.q, of.v}).rate();
    };
    const double coarse = rate(0.025), fine = rate(0.0125);
    EXPECT_NEAR(coarse, expected, 0.001) << of.name;
    EXPECT_NEAR(std::log2(coarse / fine), 2. / 3, 0.03) << of.name;  // 1 for a rate of order h
  }
}

TEST(StageFourApproximates, MustHaveTheStepBeforeTheirMultipliers) {
  for (const VariationalCase& of : {spherical_pendulum(), double_pendulum_by_links()})
    for (const double bias : {0., -0.5}) {
      const TableIntegrator integrator(of, "rk4", bias, 0.05);
      const auto iteration = [&](bool multipliers, bool bias_too) {
        return StageIteration(*integrator, {of.q, of.v}, {multipliers, bias_too});
      };
      // (S4.6a') as printed: from h = 0.05 on it moves away, even from the solution.
      EXPECT_GT(iteration(false, true).rate(), 1) << of.name << bias;
      EXPECT_EQ(error_after(iteration(false, true), of.problem->N, 60), 1e3) << of.name << bias;
      EXPECT_GT(iteration(false, false).rate(), 1) << of.name << bias;
      // (S4.7a') as printed still arrives, more slowly.
      EXPECT_GT(iteration(true, false).rate(), 1.3 * iteration(true, true).rate()) << of.name << bias;
      EXPECT_LT(error_after(iteration(true, false), of.problem->N, 60), 1e-14) << of.name << bias;
    }
}

/// Constraints multiplied by a number.
class ScaledConstraints : public ConstrainedLagrangian {
 public:
  ScaledConstraints(std::shared_ptr<const ConstrainedLagrangian> of, double factor)
      : ConstrainedLagrangian(of->N, of->d), of_(std::move(of)), factor_(factor) {}

  LagrangianTerms terms(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const override {
    LagrangianTerms terms = of_->terms(q, v);
    terms.jacobian *= factor_, terms.curvature *= factor_;
    return terms;
  }
  Eigen::VectorXcd residual(const Eigen::VectorXcd& q, const Eigen::VectorXcd& v, const Eigen::VectorXcd& A,
                            const Eigen::VectorXcd& lambda) const override {
    Eigen::VectorXcd all = of_->residual(q, v, A, factor_ * lambda);
    all.segment(N, d) *= factor_;
    return all;
  }
  Eigen::VectorXd constraints(const Eigen::VectorXd& q) const override { return factor_ * of_->constraints(q); }
  Eigen::MatrixXd jacobian(const Eigen::VectorXd& q) const override { return factor_ * of_->jacobian(q); }
  Eigen::MatrixXd hessian(const Eigen::VectorXd& q, const Eigen::VectorXd& theta) const override {
    return factor_ * of_->hessian(q, theta);
  }

 private:
  std::shared_ptr<const ConstrainedLagrangian> of_;
  double factor_;
};

TEST(MultipliersOfConstraints, DependOnHowTheseAreWrittenAndTheirForcesDoNot) {
  for (const VariationalCase& of : {spherical_pendulum(), double_pendulum_by_links()}) {
    VariationalCase twice = of;
    twice.problem = std::make_shared<ScaledConstraints>(of.problem, 2);
    const TableIntegrator once_by(of, "rk4", -0.3, 0.1), twice_by(twice, "rk4", -0.3, 0.1);
    const VelocityPoint w{of.q, of.v};
    EXPECT_LT(distance_of(once_by->step(covector_start(of)), twice_by->step(covector_start(twice))), 4e-15) << of.name;
    const Eigen::VectorXd one = stage_equations(4, *once_by, w).solution,
                          two = stage_equations(4, *twice_by, w).solution;
    const int N = of.problem->N, d = of.problem->d;
    const VelocityPoint w2 = once_by->step(w);
    // nu_1-, nu_2- at q_1 and nu_1+, nu_2+ at q_2, with forces nu Dg: differences of covectors over h.
    for (const int k : {0, 1, 2, 3}) {
      const Eigen::VectorXd nu = one.segment(7 * N + k * d, d), half = two.segment(7 * N + k * d, d);
      const Eigen::VectorXd q = k < 2 ? w.q : w2.q;
      EXPECT_LT((2 * half - nu).cwiseAbs().maxCoeff(), 2e-14) << of.name << k;
      EXPECT_GT(nu.cwiseAbs().maxCoeff(), 1e-6) << of.name << k;
      const Eigen::VectorXd force = product(of.problem->jacobian(q).transpose(), nu);
      EXPECT_LT((force - product(twice.problem->jacobian(q).transpose(), half)).cwiseAbs().maxCoeff(), 4e-14)
          << of.name;
    }
    const LayerRates rates = layer_rates(*of.problem, point_jet(of.q, of.v));
    const LayerRates other = layer_rates(*twice.problem, point_jet(of.q, of.v));
    EXPECT_LT((rates.multipliers - 2 * other.multipliers).cwiseAbs().maxCoeff(), 1e-14) << of.name;
    EXPECT_LT((rates.acceleration - other.acceleration).cwiseAbs().maxCoeff(), 1e-14) << of.name;
    // The iteration is as fast, since only products of multipliers and constraints matter.
    const double rate = StageIteration(*once_by, w).rate();
    EXPECT_NEAR(StageIteration(*twice_by, w).rate(), rate, 1e-5 * rate) << of.name;  // of Jacobians by differences
  }
}

}  // namespace
}  // namespace polhode::test
