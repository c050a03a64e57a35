// Momenta of symmetries, of positions and momenta in blocks of three: points of space, or a matrix by rows.
#pragma once

#include <Eigen/Dense>

#include "papers/variational_step.hpp"

namespace polhode::test {

/// Sum of q x p over the blocks: of rotations of points, or of a matrix by its right factor.
inline Eigen::Vector3d momentum_of_blocks(const CovectorPoint& x, int blocks) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int k = 0; k < blocks; ++k)
    sum += Eigen::Vector3d(x.q.segment<3>(3 * k)).cross(Eigen::Vector3d(x.p.segment<3>(3 * k)));
  return sum;
}

/// Sum over the columns of a matrix by rows: of rotations of space, its left factor.
inline Eigen::Vector3d momentum_of_columns(const CovectorPoint& x) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int j = 0; j < 3; ++j)
    sum += Eigen::Vector3d(x.q[j], x.q[3 + j], x.q[6 + j]).cross(Eigen::Vector3d(x.p[j], x.p[3 + j], x.p[6 + j]));
  return sum;
}

}  // namespace polhode::test
