#include "papers/variational_stages.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/dense.hpp"

namespace polhode::test {
namespace {

/// Where the unknowns and the equations of Stage 4 stand, in their order (variational_stages.cpp).
struct StageLayout {
  explicit StageLayout(int N_, int d_) : N(N_), d(d_) {}
  int N, d;
  int lambda_minus = 0, mu = N, lambda_plus = 2 * N, hat_minus = 3 * N, hat_mu1 = 4 * N, hat_mu2 = 5 * N,
      hat_plus = 6 * N, nu1_minus = 7 * N, nu2_minus = nu1_minus + d, nu1_plus = nu2_minus + d, nu2_plus = nu1_plus + d,
      q1_minus = nu2_plus + d, q_bar = q1_minus + N, q2_plus = q_bar + N, theta = q2_plus + N, q2 = theta + d,
      v2 = q2 + N, size = v2 + N;
  int eq1 = 0, eq2 = N, eq3a = 2 * N, eq3b = 3 * N, eq3c = eq3b + d, eq4a = eq3c + N, eq4b = eq4a + N, eq4c = eq4b + d,
      eq5a = eq4c + N, eq5b = eq5a + N, eq5c = eq5b + d, eq6a = eq5c + N, eq6b = eq6a + N, eq6c = eq6b + d,
      eq7a = eq6c + N, eq7b = eq7a + N, eq8 = eq7b + d;
};

}  // namespace

StageIteration::StageIteration(const VariationalIntegrator& integrator, const VelocityPoint& w1,
                               const StageApproximates& approximates)
    : equations_(stage_equations(4, integrator, w1)),
      w1_(w1),
      matrix_(approximate_matrix(integrator, w1, approximates)) {}

/// (S4.3a') to (S4.7b'), with (4.8) for the hatted multipliers; the points q_1- and q_bar as they are, and q_2+ at
/// q_2 + h alpha+ v_2.
Eigen::MatrixXd StageIteration::approximate_matrix(const VariationalIntegrator& integrator, const VelocityPoint& w1,
                                                   const StageApproximates& approximates) const {
  const ConstrainedLagrangian& problem = integrator.problem();
  const int N = problem.N, d = problem.d;
  const StageLayout at(N, d);
  const double h = integrator.h(), minus = integrator.rule().bias, plus = 1 + minus;
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(N, N), G = problem.jacobian(w1.q), up = G.transpose();
  const Eigen::MatrixXd bent = curvature_matrix(problem, w1.q, w1.v).transpose(), mass = problem.terms(w1.q, w1.v).mass;
  const Eigen::MatrixXd flat = one - product(up, product(inverse(product(G, up)), G));
  Eigen::MatrixXd F = Eigen::MatrixXd::Zero(at.size, at.size);
  const auto set = [&](int row, int column, const Eigen::MatrixXd& block) {
    F.block(row, column, block.rows(), block.cols()) = block;
  };
  set(at.eq1, at.q1_minus, one), set(at.eq2, at.q_bar, one);
  set(at.eq3a, at.lambda_minus, one), set(at.eq3a, at.mu, one), set(at.eq3a, at.nu1_minus, up);
  set(at.eq3a, at.nu2_minus, bent);
  set(at.eq3b, at.lambda_minus, G);
  set(at.eq3c, at.hat_minus, one), set(at.eq3c, at.lambda_minus, -flat);
  set(at.eq4a, at.lambda_minus, h * minus * one), set(at.eq4a, at.mu, h * plus * one), set(at.eq4a, at.nu2_minus, up);
  set(at.eq4b, at.mu, G);
  set(at.eq4c, at.hat_mu1, one), set(at.eq4c, at.mu, -flat);
  set(at.eq5a, at.lambda_plus, one), set(at.eq5a, at.mu, -one), set(at.eq5a, at.nu1_plus, up);
  set(at.eq5a, at.nu2_minus, bent);
  set(at.eq5b, at.lambda_plus, G);
  set(at.eq5c, at.hat_plus, one), set(at.eq5c, at.lambda_plus, -flat);
  set(at.eq6a, at.v2, h * mass), set(at.eq6a, at.nu2_plus, -up);
  set(at.eq6a, at.lambda_plus, (approximates.multipliers_corrected ? -h * plus : -1) * one);
  set(at.eq6a, at.mu, (approximates.multipliers_corrected ? h * minus : 1) * one);
  set(at.eq6b, at.v2, G);
  set(at.eq6c, at.hat_mu2, one), set(at.eq6c, at.mu, -flat);
  set(at.eq7a, at.q2, one), set(at.eq7a, at.q_bar, -one), set(at.eq7a, at.theta, -up);
  set(at.eq7a, at.v2, h * (approximates.bias_corrected ? minus : plus) * one);
  set(at.eq7b, at.q2, G), set(at.eq7b, at.q_bar, -G);
  set(at.eq8, at.q2_plus, one), set(at.eq8, at.q2, -one), set(at.eq8, at.v2, -h * plus * one);
  return F;
}

Eigen::VectorXd StageIteration::start() const {
  const auto N = static_cast<int>(w1_.q.size()), d = static_cast<int>(solution().size() - 12 * N) / 5;
  const StageLayout at(N, d);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(at.size);
  for (const int q : {at.q1_minus, at.q_bar, at.q2_plus, at.q2}) x.segment(q, N) = w1_.q;
  x.segment(at.v2, N) = w1_.v;
  return x;
}

Eigen::VectorXd StageIteration::next(const Eigen::VectorXd& x) const { return x - matrix_.solve(residual(x)); }

Eigen::MatrixXd StageIteration::derivative() const {
  return central_jacobian([this](const Eigen::VectorXd& x) { return next(x); }, solution());
}

double StageIteration::rate() const {
  const Eigen::VectorXcd eigenvalues = derivative().eigenvalues();
  double most = 0;
  for (const auto& eigenvalue : eigenvalues) most = std::max(most, std::abs(eigenvalue));
  return most;
}

}  // namespace polhode::test
