// The five formulations of one step (Patrick, Cuell, Spiteri & Zhang, Figures 1 and 2), as they stand there: equations
// for w2 = (q2, v2) and multipliers, given w1. Stage 4 has those of Stage 3 in another order; it is also solved by the
// paper's own iteration (4.4) with the approximates of Figure 2.
#pragma once

#include <Eigen/Dense>
#include <functional>

#include "papers/variational_step.hpp"

namespace polhode::test {

/// The equations of a stage, and the values of its unknowns that belong to a step in positions and momenta: those of
/// multipliers first, those of w2 last.
struct VariationalStage {
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> residual;
  Eigen::VectorXd solution;
};
/// stage: 0 (on TQ: coordinates of covectors and of w2), 1 (the same, with multipliers nu), 2 (covectors in R^N) or 4.
VariationalStage stage_equations(int stage, const VariationalIntegrator& integrator, const VelocityPoint& w1);

/// Which approximates the iteration has: those of Figure 2 as printed, or with h alpha+ and h alpha- before lambda+ and
/// mu in (S4.6a'), and with alpha- for alpha+ in (S4.7a').
struct StageApproximates {
  bool multipliers_corrected = true, bias_corrected = true;
};

/// Stage 4 by x <- x - F0^-1 f(x), which is (4.4) for an affine f0 with the matrix F0.
class StageIteration {
 public:
  StageIteration(const VariationalIntegrator& integrator, const VelocityPoint& w1,
                 const StageApproximates& approximates = {});

  /// Multipliers zero, all configurations q1, v2 = v1.
  Eigen::VectorXd start() const;
  Eigen::VectorXd next(const Eigen::VectorXd& x) const;
  Eigen::VectorXd residual(const Eigen::VectorXd& x) const { return equations_.residual(x); }
  const Eigen::VectorXd& solution() const { return equations_.solution; }
  /// The derivative of `next` at the solution, by central differences; its spectral radius is the rate.
  Eigen::MatrixXd derivative() const;
  double rate() const;

 private:
  Eigen::MatrixXd approximate_matrix(const VariationalIntegrator& integrator, const VelocityPoint& w1,
                                     const StageApproximates& approximates) const;

  VariationalStage equations_;
  VelocityPoint w1_;
  Eigen::PartialPivLU<Eigen::MatrixXd> matrix_;
};

/// The derivative of a function by central differences with steps of 1e-6.
Eigen::MatrixXd central_jacobian(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& f,
                                 const Eigen::VectorXd& x, double step = 1e-6);

}  // namespace polhode::test
