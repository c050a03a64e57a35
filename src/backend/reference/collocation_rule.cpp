#include "backend/reference/collocation_rule.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "backend/reference/dense_newton.hpp"

namespace polhode {
namespace {

using Real = long double;
using Matrix = Eigen::MatrixX<Real>;
using Vector = Eigen::VectorX<Real>;

/// Zeros on (-1, 1) of the Jacobi polynomial P_n^(k, k), with the weight (1 - x^2)^k, k = 0 or 1.
Vector zeros_of_jacobi(int n, int k) {
  Matrix jacobi = Matrix::Zero(n, n);
  for (int i = 1; i < n; ++i) {
    const Real squared = Real(i * (i + 2 * k)) / ((2 * i + 2 * k) * (2 * i + 2 * k) - 1);
    jacobi(i - 1, i) = jacobi(i, i - 1) = std::sqrt(squared);
  }
  return Eigen::SelfAdjointEigenSolver<Matrix>(jacobi).eigenvalues();
}

/// P_0, ..., P_n of Legendre at x.
Vector legendre(int n, Real x) {
  Vector values(n + 1);
  values[0] = 1;
  if (n > 0) values[1] = x;
  for (int k = 1; k < n; ++k) values[k + 1] = ((2 * k + 1) * x * values[k] - k * values[k - 1]) / (k + 1);
  return values;
}

/// Integrals of P_0, ..., P_(n - 1) from -1 to x.
Vector legendre_integrals(int n, Real x) {
  const Vector values = legendre(n, x);
  Vector integrals(n);
  integrals[0] = 1 + x;
  for (int k = 1; k < n; ++k) integrals[k] = (values[k + 1] - values[k - 1]) / (2 * k + 1);
  return integrals;
}

struct Table {
  Matrix a;
  Vector b;
};

/// Of collocation at these nodes in [-1, 1], for a step of length 1.
Table collocation(const Vector& nodes) {
  const auto s = static_cast<int>(nodes.size());
  Matrix polynomials(s, s);  // [i, k]: P_k at node i
  for (int i = 0; i < s; ++i) polynomials.row(i) = legendre(s - 1, nodes[i]);
  const Matrix lagrange = polynomials.inverse();  // [k, j] of P_k in the j-th polynomial of Lagrange
  Table table{Matrix(s, s), lagrange.transpose() * legendre_integrals(s, 1) / 2};
  for (int i = 0; i < s; ++i) table.a.row(i) = legendre_integrals(s, nodes[i]).transpose() * lagrange / 2;
  return table;
}

Vector lobatto_nodes(int s) {
  Vector nodes(s);
  nodes[0] = -1;
  nodes[s - 1] = 1;
  if (s > 2) nodes.segment(1, s - 2) = zeros_of_jacobi(s - 2, 1);
  return nodes;
}

double size(const Eigen::VectorXd& v) { return v.lpNorm<Eigen::Infinity>(); }

/// By central differences.
Eigen::MatrixXd jacobian(const CollocationRule::Rate& f, const Eigen::VectorXd& x) {
  const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * (1 + size(x));
  Eigen::MatrixXd derivative(x.size(), x.size());
  for (int k = 0; k < x.size(); ++k) {
    const Eigen::VectorXd along = step * Eigen::VectorXd::Unit(x.size(), k);
    derivative.col(k) = (f(x + along) - f(x - along)) / (2 * step);
  }
  return derivative;
}

}  // namespace

CollocationRule::CollocationRule(const Coefficients& method, Eigen::Index positions) : positions_(positions) {
  const int s = method.stages;
  const bool is_gauss = method.rule == Rule::gauss;
  const Table table = collocation(is_gauss ? zeros_of_jacobi(s, 0) : lobatto_nodes(s));
  a_ = table.a.cast<double>();
  b_ = table.b.cast<double>();
  a_hat_ = a_;
  if (is_gauss) return;
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j)
      a_hat_(i, j) = static_cast<double>(table.b[j] - table.b[j] * table.a(j, i) / table.b[i]);
}

bool CollocationRule::step(const Rate& f, double h, const Vector& x, Vector& y) const {
  const Eigen::Index s = b_.size(), n = x.size(), momenta = n - positions_;
  y = x + h * f(x);
  if (!y.allFinite()) return false;

  const Eigen::MatrixXd slope = h * jacobian(f, x);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(s * n, s * n);  // of all stages, in turn
  for (Eigen::Index i = 0; i < s; ++i)
    for (Eigen::Index j = 0; j < s; ++j) {
      matrix.block(i * n, j * n, positions_, n) -= a_(i, j) * slope.topRows(positions_);
      matrix.block(i * n + positions_, j * n, momenta, n) -= a_hat_(i, j) * slope.bottomRows(momenta);
    }
  Eigen::MatrixXd rates(n, s);
  const auto equations = [&](const Vector& stages) {
    for (Eigen::Index j = 0; j < s; ++j) rates.col(j) = f(stages.segment(j * n, n));
    Eigen::MatrixXd moves(n, s);
    moves << h * rates.topRows(positions_) * a_.transpose(), h * rates.bottomRows(momenta) * a_hat_.transpose();
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
  y = x + h * (rates * b_);
  return true;
}

}  // namespace polhode
