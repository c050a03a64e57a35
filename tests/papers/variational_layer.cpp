#include "papers/variational_layer.hpp"

#include <complex>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "numerics/dense.hpp"

namespace polhode::test {
namespace {

/// [M -G^T; -G 0], (4.3).
Eigen::MatrixXd multiplier_matrix(const LagrangianTerms& at) {
  const Eigen::Index N = at.mass.rows(), d = at.jacobian.rows();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(N + d, N + d);
  matrix.topLeftCorner(N, N) = at.mass;
  matrix.topRightCorner(N, d) = -at.jacobian.transpose();
  matrix.bottomLeftCorner(d, N) = -at.jacobian;
  return matrix;
}

}  // namespace

LayerRates layer_rates(const ConstrainedLagrangian& problem, const LayerJet& at) {
  using Complex = std::complex<double>;
  constexpr double epsilon = 1e-100;
  const Eigen::Index N = problem.N, d = problem.d, m = at.dq.cols();
  const LagrangianTerms terms = problem.terms(at.q, at.v);
  const Eigen::PartialPivLU<Eigen::MatrixXd> matrix(multiplier_matrix(terms));
  Eigen::VectorXd right(N + d);
  right << terms.force, terms.curvature;
  const Eigen::VectorXd solution = matrix.solve(right);
  LayerRates rates{solution.head(N), solution.tail(d), terms.lagrangian, {}, Eigen::RowVectorXd(m)};
  // The derivative of the equations at fixed A and lambda, by the complex step, gives that of A and lambda.
  Eigen::MatrixXd change(N + d, m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const Eigen::VectorXcd q = at.q + Complex(0, epsilon) * at.dq.col(k), v = at.v + Complex(0, epsilon) * at.dv.col(k);
    const Eigen::VectorXd moved = problem.residual(q, v, rates.acceleration, rates.multipliers).imag() / epsilon;
    change.col(k) = -moved.head(N + d);
    rates.dlagrangian[k] = moved[N + d];
  }
  rates.dacceleration = Eigen::MatrixXd(N, m);  // without columns Eigen would refer to elements that are not there
  if (m > 0) rates.dacceleration = matrix.solve(change).topRows(N);
  return rates;
}

LayerJet ExplicitLayer::flow(const ConstrainedLagrangian& problem, double t, const LayerJet& from) const {
  if (t == 0) return from;
  std::vector<LayerJet> slopes;
  const auto moved = [&](const std::vector<double>& weights) {
    LayerJet to = from;
    for (std::size_t j = 0; j < slopes.size(); ++j) {
      if (weights[j] == 0) continue;
      const double w = t * weights[j];
      to.q += w * slopes[j].q, to.v += w * slopes[j].v, to.action += w * slopes[j].action;
      to.dq += w * slopes[j].dq, to.dv += w * slopes[j].dv, to.daction += w * slopes[j].daction;
    }
    return to;
  };
  for (const std::vector<double>& row : table_.a) {
    const LayerJet stage = moved(row);
    const LayerRates rates = layer_rates(problem, stage);
    slopes.push_back({stage.v, rates.acceleration, rates.lagrangian, stage.dv, rates.dacceleration, rates.dlagrangian});
  }
  return moved(table_.b);
}

LayerJet AdjointLayer::flow(const ConstrainedLagrangian& problem, double t, const LayerJet& from) const {
  if (t == 0) return from;
  const Eigen::Index N = problem.N;
  // The method itself is a first guess; twelve iterations are past the point where Newton's stagnates.
  LayerJet end = method_.flow(problem, t, point_jet(from.q, from.v)), back;
  Eigen::MatrixXd derivative(2 * N, 2 * N);
  for (int k = 0; k < 12; ++k) {
    back = method_.flow(problem, -t, full_jet(end.q, end.v));
    derivative << back.dq, back.dv;
    Eigen::VectorXd off(2 * N);
    off << back.q - from.q, back.v - from.v;
    const Eigen::VectorXd correction = solve(derivative, off);
    if (!(off.cwiseAbs().maxCoeff() < 1e3)) throw std::runtime_error("the adjoint method has no solution");
    if (off.cwiseAbs().maxCoeff() < 1e-15) break;
    end.q -= correction.head(N), end.v -= correction.tail(N);
  }
  end.action = from.action - back.action;
  Eigen::MatrixXd directions(2 * N, from.dq.cols());
  directions << from.dq, from.dv;
  const Eigen::MatrixXd moved = product(inverse(derivative), directions);
  end.dq = moved.topRows(N), end.dv = moved.bottomRows(N);
  end.daction = from.daction - product(back.daction, moved);
  return end;
}

LayerJet point_jet(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  return {q, v, 0, Eigen::MatrixXd(q.size(), 0), Eigen::MatrixXd(q.size(), 0), Eigen::RowVectorXd(0)};
}

LayerJet full_jet(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  const Eigen::Index N = q.size();
  LayerJet jet{
      q, v, 0, Eigen::MatrixXd::Zero(N, 2 * N), Eigen::MatrixXd::Zero(N, 2 * N), Eigen::RowVectorXd::Zero(2 * N)};
  jet.dq.leftCols(N).setIdentity();
  jet.dv.rightCols(N).setIdentity();
  return jet;
}

LayerJet tangent_jet(const ConstrainedLagrangian& problem, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  const Eigen::MatrixXd G = problem.jacobian(q), Z = kernel(G);
  const Eigen::Index N = problem.N, n = Z.cols();
  LayerJet jet{
      q, v, 0, Eigen::MatrixXd::Zero(N, 2 * n), Eigen::MatrixXd::Zero(N, 2 * n), Eigen::RowVectorXd::Zero(2 * n)};
  jet.dq.leftCols(n) = Z;
  const Eigen::MatrixXd bent = product(curvature_matrix(problem, q, v), Z);
  jet.dv << -product(G.transpose(), product(inverse(product(G, G.transpose())), bent)), Z;
  return jet;
}

Eigen::MatrixXd curvature_matrix(const ConstrainedLagrangian& problem, const Eigen::VectorXd& q,
                                 const Eigen::VectorXd& v) {
  Eigen::MatrixXd matrix(problem.d, problem.N);
  for (int a = 0; a < problem.d; ++a)
    matrix.row(a) = product(problem.hessian(q, Eigen::VectorXd::Unit(problem.d, a)), v).transpose();
  return matrix;
}

ProjectedPoint project_point(const ConstrainedLagrangian& problem, const Eigen::VectorXd& from) {
  ProjectedPoint at{from, Eigen::VectorXd::Zero(problem.d)};
  double last = 1e300;
  for (int k = 0; k < 30; ++k) {
    Eigen::VectorXd off(problem.N + problem.d);
    off << at.q + product(problem.jacobian(at.q).transpose(), at.theta) - from, problem.constraints(at.q);
    const double size = off.cwiseAbs().maxCoeff();
    if (size < 1e-12 && size >= last) break;  // it stagnates
    const Eigen::VectorXd correction = solve(projection_matrix(problem, at), off);
    if (!(correction.cwiseAbs().maxCoeff() < 1e6)) throw std::runtime_error("the projection has no solution");
    if (size == 0) break;
    at.q -= correction.head(problem.N), at.theta -= correction.tail(problem.d);
    last = size;
  }
  return at;
}

Eigen::MatrixXd projection_matrix(const ConstrainedLagrangian& problem, const ProjectedPoint& at) {
  const Eigen::Index N = problem.N, d = problem.d;
  const Eigen::MatrixXd G = problem.jacobian(at.q);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(N + d, N + d);
  matrix.topLeftCorner(N, N) = Eigen::MatrixXd::Identity(N, N) + problem.hessian(at.q, at.theta);
  matrix.topRightCorner(N, d) = G.transpose();
  matrix.bottomLeftCorner(d, N) = G;
  return matrix;
}

Eigen::MatrixXd project_directions(const ConstrainedLagrangian& problem, const ProjectedPoint& at,
                                   const Eigen::MatrixXd& directions) {
  if (directions.cols() == 0) return directions;
  const Eigen::Index N = problem.N;
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(N + problem.d, directions.cols());
  right.topRows(N) = directions;
  const Eigen::PartialPivLU<Eigen::MatrixXd> matrix(projection_matrix(problem, at));
  return matrix.solve(right).topRows(N);
}

Eigen::VectorXd tangential_part(const ConstrainedLagrangian& problem, const Eigen::VectorXd& q,
                                const Eigen::VectorXd& v) {
  const Eigen::MatrixXd G = problem.jacobian(q);
  return v - product(G.transpose(), solve(product(G, G.transpose()), product(G, v)));
}

}  // namespace polhode::test
