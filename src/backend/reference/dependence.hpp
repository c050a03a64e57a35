// Whether constraints are independent.
#pragma once

#include <Eigen/Dense>
#include <limits>

namespace polhode {

/// Whether the rows of G are dependent to round-off, whatever their scales, given G A G^T for some positive definite A:
/// with a diagonal of ones it has a pivot that is no larger than its rounding.
template <class Real, int D>
bool are_dependent(const Eigen::Matrix<Real, D, D>& matrix) {
  if (!matrix.allFinite() || (matrix.diagonal().array() <= 0).any()) return true;
  const Eigen::Vector<Real, D> scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  Eigen::FullPivLU<Eigen::Matrix<Real, D, D>> scaled(scale.asDiagonal() * matrix * scale.asDiagonal());
  scaled.setThreshold(Real(16 * matrix.rows()) * std::numeric_limits<Real>::epsilon());
  return !scaled.isInvertible();
}

}  // namespace polhode
