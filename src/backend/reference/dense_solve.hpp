// Dense linear equations of any size, compiled once: instantiating a decomposition for every size would take as long to
// compile as all code that uses it.
#pragma once

#include <Eigen/Dense>

namespace polhode {

template <class Real>
using AnyMatrix = Eigen::Ref<const Eigen::MatrixX<Real>>;
template <class Real>
using AnyVector = Eigen::Ref<const Eigen::VectorX<Real>>;

/// x with a x = b, for Real = double and long double, by partial pivoting; not finite, or meaningless, if a is
/// singular.
template <class Real>
Eigen::VectorX<Real> solve_dense(const AnyMatrix<Real>& a, const AnyVector<Real>& b);

/// a^-1, by partial pivoting; not finite, or meaningless, if a is singular.
inline Eigen::MatrixXd inverse_dense(const AnyMatrix<double>& a) {
  Eigen::MatrixXd inverse(a.rows(), a.cols());
  for (Eigen::Index k = 0; k < a.cols(); ++k)
    inverse.col(k) = solve_dense<double>(a, Eigen::VectorXd::Unit(a.rows(), k));
  return inverse;
}

/// x with a x = b by full pivoting, for multipliers; if a is singular, one of the solutions, where there are any.
template <class Real>
Eigen::VectorX<Real> solve_multipliers(const AnyMatrix<Real>& a, const AnyVector<Real>& b);

/// Whether the rows of a matrix G are linearly dependent to round-off, however each row is scaled; true also where
/// `matrix` is not finite. matrix: G A G^T with any positive definite A. The rows are dependent if `matrix`, scaled to
/// a unit diagonal, has a pivot no larger than its rounding error.
template <class Real>
bool are_dependent(const AnyMatrix<Real>& matrix);

}  // namespace polhode
