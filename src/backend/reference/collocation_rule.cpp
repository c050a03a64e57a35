#include "backend/reference/collocation_rule.hpp"

#include <limits>

#include "backend/reference/dense_newton.hpp"

namespace polhode {
namespace {

double size(const Eigen::VectorXd& v) { return v.lpNorm<Eigen::Infinity>(); }

}  // namespace

CollocationRule::CollocationRule(const ReferenceMethod& method, Eigen::Index positions)
    : positions_(positions), table_(collocation_table(method)) {}

bool CollocationRule::step(const Rate& f, double h, const Vector& x, Vector& y) const {
  const Eigen::Index s = table_.b.size(), n = x.size(), momenta = n - positions_;
  y = x + h * f(x);
  if (!y.allFinite()) return false;

  const Eigen::MatrixXd slope = h * difference_jacobian(f, x);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(s * n, s * n);  // of all stages, in turn
  for (Eigen::Index i = 0; i < s; ++i)
    for (Eigen::Index j = 0; j < s; ++j) {
      matrix.block(i * n, j * n, positions_, n) -= table_.a(i, j) * slope.topRows(positions_);
      matrix.block(i * n + positions_, j * n, momenta, n) -= table_.a_hat(i, j) * slope.bottomRows(momenta);
    }
  Eigen::MatrixXd rates(n, s);
  const auto equations = [&](const Vector& stages) {
    for (Eigen::Index j = 0; j < s; ++j) rates.col(j) = f(stages.segment(j * n, n));
    Eigen::MatrixXd moves(n, s);
    moves << h * rates.topRows(positions_) * table_.a.transpose(),
        h * rates.bottomRows(momenta) * table_.a_hat.transpose();
    const Vector residual = stages - x.replicate(s, 1) - moves.reshaped();
    const double relative = size(residual) / (size(x) + size(moves.reshaped()) + std::numeric_limits<double>::min());
    return Linearisation<double, Eigen::Dynamic>{residual, matrix, relative};
  };
  Vector stages = x.replicate(s, 1);
  if (!solve_dense_newton<double, Eigen::Dynamic>(equations, stages)) {
    y = x;
    return false;
  }
  equations(stages);
  y = x + h * (rates * table_.b);
  return true;
}

}  // namespace polhode
