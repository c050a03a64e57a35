#include "numerics/dense.hpp"

#include "backend/reference/dense_solve.hpp"

namespace polhode::test {

using Decomposition = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;

// Of small matrices: Eigen's own for larger ones take long to compile.
Eigen::MatrixXd product(const AnyMatrix& a, const AnyMatrix& b) { return a.lazyProduct(b); }

Eigen::MatrixXd congruent(const AnyMatrix& a, const AnyMatrix& b) { return product(product(a.transpose(), b), a); }

Eigen::VectorXd solve(const AnyMatrix& a, const Eigen::Ref<const Eigen::VectorXd>& b) {
  if (a.rows() == a.cols()) return solve_dense<double>(a, b);
  return Decomposition(Eigen::MatrixXd(a)).solve(Eigen::VectorXd(b));
}

Eigen::MatrixXd inverse(const AnyMatrix& a) {
  Eigen::MatrixXd result(a.rows(), a.cols());
  for (Eigen::Index k = 0; k < a.cols(); ++k)
    result.col(k) = solve_dense<double>(a, Eigen::VectorXd::Unit(a.rows(), k).eval());
  return result;
}

double absolute_determinant(const AnyMatrix& a) { return Decomposition(Eigen::MatrixXd(a)).absDeterminant(); }

Eigen::Index rank(const AnyMatrix& a) { return Decomposition(Eigen::MatrixXd(a)).setThreshold(1e-13).rank(); }

Eigen::MatrixXd kernel(const AnyMatrix& a) {
  if (a.rows() == 0) return Eigen::MatrixXd::Identity(a.cols(), a.cols());
  const Decomposition of_rows{Eigen::MatrixXd(a.transpose())};
  Eigen::MatrixXd basis(a.cols(), a.cols() - a.rows());
  for (Eigen::Index k = 0; k < basis.cols(); ++k) {
    Eigen::VectorXd unit = Eigen::VectorXd::Unit(a.cols(), a.rows() + k);
    unit.applyOnTheLeft(of_rows.householderQ());
    basis.col(k) = unit;
  }
  return basis;
}

}  // namespace polhode::test
