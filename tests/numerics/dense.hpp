// Linear algebra with matrices of any size, compiled once: to instantiate a decomposition takes longer than to compile
// most tests.
#pragma once

#include <Eigen/Dense>

namespace polhode::test {

using AnyMatrix = Eigen::Ref<const Eigen::MatrixXd>;

Eigen::MatrixXd product(const AnyMatrix& a, const AnyMatrix& b);
/// a^T b a.
Eigen::MatrixXd congruent(const AnyMatrix& a, const AnyMatrix& b);
/// x with a x = b, or with the least |a x - b| where a has more rows than columns.
Eigen::VectorXd solve(const AnyMatrix& a, const Eigen::Ref<const Eigen::VectorXd>& b);
Eigen::MatrixXd inverse(const AnyMatrix& a);
double absolute_determinant(const AnyMatrix& a);
/// To 1e-13 of its largest pivot.
Eigen::Index rank(const AnyMatrix& a);
/// An orthonormal basis of the kernel of a, in columns; its rows are independent.
Eigen::MatrixXd kernel(const AnyMatrix& a);

}  // namespace polhode::test
