#include "backend/reference/dense_solve.hpp"

#include <limits>

namespace polhode {

template <class Real>
Eigen::VectorX<Real> solve_dense(const AnyMatrix<Real>& a, const AnyVector<Real>& b) {
  return a.partialPivLu().solve(b);
}

template <class Real>
Eigen::VectorX<Real> solve_multipliers(const AnyMatrix<Real>& a, const AnyVector<Real>& b) {
  return a.fullPivLu().solve(b);
}

template <class Real>
bool are_dependent(const AnyMatrix<Real>& matrix) {
  if (!matrix.allFinite() || (matrix.diagonal().array() <= 0).any()) return true;
  const Eigen::VectorX<Real> scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixX<Real> scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
  Eigen::FullPivLU<Eigen::MatrixX<Real>> lu(scaled);
  lu.setThreshold(Real(16 * matrix.rows()) * std::numeric_limits<Real>::epsilon());
  return !lu.isInvertible();
}

template Eigen::VectorX<double> solve_dense<double>(const AnyMatrix<double>&, const AnyVector<double>&);
template Eigen::VectorX<double> solve_multipliers<double>(const AnyMatrix<double>&, const AnyVector<double>&);
template bool are_dependent<double>(const AnyMatrix<double>&);
template Eigen::VectorX<long double> solve_dense<long double>(const AnyMatrix<long double>&,
                                                              const AnyVector<long double>&);
template Eigen::VectorX<long double> solve_multipliers<long double>(const AnyMatrix<long double>&,
                                                                    const AnyVector<long double>&);
template bool are_dependent<long double>(const AnyMatrix<long double>&);

}  // namespace polhode
