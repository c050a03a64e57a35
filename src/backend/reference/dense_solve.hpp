// Dense linear equations of any size, compiled once: a decomposition of each size would take as long to compile as all
// that it is used for.
#pragma once

#include <Eigen/Dense>

namespace polhode {

template <class Real>
using AnyMatrix = Eigen::Ref<const Eigen::MatrixX<Real>>;
template <class Real>
using AnyVector = Eigen::Ref<const Eigen::VectorX<Real>>;

/// x with a x = b, for Real = double and long double: by partial pivoting; not finite where a is singular.
template <class Real>
Eigen::VectorX<Real> solve_dense(const AnyMatrix<Real>& a, const AnyVector<Real>& b);

/// The same by full pivoting, for multipliers: of a singular matrix a solution where there is one.
template <class Real>
Eigen::VectorX<Real> solve_multipliers(const AnyMatrix<Real>& a, const AnyVector<Real>& b);

/// Whether the rows of G are dependent to round-off, whatever their scales, given G A G^T for some positive definite A:
/// with a diagonal of ones it has a pivot that is no larger than its rounding.
template <class Real>
bool are_dependent(const AnyMatrix<Real>& matrix);

}  // namespace polhode
