#include "papers/variational_step.hpp"

#include <algorithm>
#include <stdexcept>

#include "numerics/dense.hpp"

namespace polhode::test {
namespace {

SegmentEnd segment_end(const ConstrainedLagrangian& problem, const LayerJet& jet) {
  SegmentEnd end{jet.q, jet.dq, project_point(problem, jet.q), {}};
  end.dq = project_directions(problem, end.at, jet.dq);
  return end;
}

}  // namespace

CurveSegment VariationalIntegrator::segment(const LayerJet& w) const {
  const LayerJet back = rule_.minus.flow(problem_, h_ * rule_.bias, w);
  const LayerJet ahead = rule_.plus.flow(problem_, h_ * (1 + rule_.bias), w);
  return {w, segment_end(problem_, back), segment_end(problem_, ahead), ahead.action - back.action,
          ahead.daction - back.daction};
}

LegendrePair VariationalIntegrator::legendre(const VelocityPoint& w) const {
  ++evaluations_;
  const CurveSegment curve = segment(tangent_jet(problem_, w.q, w.v));
  const Eigen::MatrixXd Z_minus = kernel(problem_.jacobian(curve.minus.at.q));
  const Eigen::MatrixXd Z_plus = kernel(problem_.jacobian(curve.plus.at.q));
  const Eigen::Index n = Z_minus.cols();
  Eigen::MatrixXd matrix(2 * n, 2 * n);
  matrix << -product(curve.minus.dq.transpose(), Z_minus), product(curve.plus.dq.transpose(), Z_plus);
  const Eigen::VectorXd y = solve(matrix, curve.daction.transpose());
  return {{curve.minus.at.q, product(Z_minus, y.head(n))}, {curve.plus.at.q, product(Z_plus, y.tail(n))}};
}

VariationalIntegrator::Solution VariationalIntegrator::solution(const CovectorPoint& start) const {
  const Eigen::MatrixXd Z = kernel(problem_.jacobian(start.q));
  const Eigen::Index n = Z.cols();
  // Coordinates (a, b) of TQ about start: q = P(start + Z a), v the tangential part of Z b.
  const auto solution_at = [&](const Eigen::VectorXd& y) {
    const Eigen::VectorXd q = project_point(problem_, start.q + product(Z, y.head(n))).q;
    const VelocityPoint w{q, tangential_part(problem_, q, product(Z, y.tail(n)))};
    return Solution{w, legendre(w)};
  };
  const auto residual = [&](const Solution& at) {
    Eigen::VectorXd off(2 * n);
    off << product(Z.transpose(), at.ends.minus.q - start.q), product(Z.transpose(), at.ends.minus.p - start.p);
    return off;
  };
  const VelocityPoint guess = velocity_of(problem_, start);
  const LayerJet centre = rule_.minus.flow(problem_, -h_ * rule_.bias, point_jet(guess.q, guess.v));
  Eigen::VectorXd y(2 * n);
  y << product(Z.transpose(), centre.q - start.q), product(Z.transpose(), centre.v);
  // The inverse of [1, h alpha-; 0, Z^T M Z], then Broyden's corrections of it.
  Eigen::MatrixXd inverse_jacobian = Eigen::MatrixXd::Identity(2 * n, 2 * n);
  inverse_jacobian.bottomRightCorner(n, n) = inverse(congruent(Z, problem_.terms(start.q, guess.v).mass));
  inverse_jacobian.topRightCorner(n, n) = -h_ * rule_.bias * inverse_jacobian.bottomRightCorner(n, n);
  Solution best = solution_at(y);
  Eigen::VectorXd off = residual(best);
  double least = off.cwiseAbs().maxCoeff();
  const double scale = std::max(1., start.p.cwiseAbs().maxCoeff());
  // Until the residual is that of rounding, or no longer falls.
  for (int k = 0, idle = 0; k < 60 && idle < 2 && least > 3e-16 * scale; ++k) {
    const Eigen::VectorXd change = -product(inverse_jacobian, off);
    y += change;
    const Solution next = solution_at(y);
    const Eigen::VectorXd next_off = residual(next);
    const double size = next_off.cwiseAbs().maxCoeff();
    if (!(size < 1e3 * scale)) throw std::runtime_error("no solution of the discrete Euler-Lagrange equations");
    idle = size > least / 2 && size < 1e-13 * scale ? idle + 1 : 0;
    if (size < least) least = size, best = next;
    const Eigen::VectorXd moved = product(inverse_jacobian, next_off - off);
    const double along = change.dot(moved);
    if (along != 0)
      inverse_jacobian += product((change - moved) / along, product(change.transpose(), inverse_jacobian));
    off = next_off;
  }
  if (least > 1e-12 * scale) throw std::runtime_error("the discrete Euler-Lagrange equations are not solved");
  return best;
}

CovectorPoint VariationalIntegrator::steps(CovectorPoint x, int count) const {
  for (int n = 0; n < count; ++n) x = step(x);
  return x;
}

CovectorPoint covector_of(const ConstrainedLagrangian& problem, const VelocityPoint& w) {
  const LagrangianTerms at = problem.terms(w.q, w.v);
  return {w.q, tangential_part(problem, w.q, product(at.mass, w.v) + at.linear)};
}

VelocityPoint velocity_of(const ConstrainedLagrangian& problem, const CovectorPoint& x) {
  const Eigen::MatrixXd Z = kernel(problem.jacobian(x.q));
  const LagrangianTerms at = problem.terms(x.q, x.p);
  return {x.q, product(Z, solve(congruent(Z, at.mass), product(Z.transpose(), x.p - at.linear)))};
}

double energy_of(const ConstrainedLagrangian& problem, const CovectorPoint& x) {
  const VelocityPoint w = velocity_of(problem, x);
  const LagrangianTerms at = problem.terms(w.q, w.v);
  const Eigen::VectorXd momentum = product(at.mass, w.v);
  return w.v.dot(momentum + at.linear) - at.lagrangian;
}

double distance_of(const CovectorPoint& a, const CovectorPoint& b) {
  return std::max((a.q - b.q).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

}  // namespace polhode::test
