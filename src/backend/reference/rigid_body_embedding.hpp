// Embedding of (Pi, q) of system/rigid_body.hpp as a body in space.
//
// A quaternion q of length l represents the vertical of q / l, times l^2.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "backend/reference/body_pose.hpp"
#include "polhode/system/rigid_body.hpp"

namespace polhode {

template <class Real>
struct RigidBodyEmbedding {
  using System = RigidBody;
  using State = std::array<Real, System::dim>;  ///< pi1 pi2 pi3 qw qx qy qz

  static BodyPose<Real> lift(const State& x) {
    const Eigen::Quaternion<Real> q(x[3], x[4], x[5], x[6]);
    return {q.normalized().toRotationMatrix(), {x[0], x[1], x[2]}, q.squaredNorm()};
  }

  /// State of a pose; of the two quaternions of its rotation it has the one that is closer to that of the last state.
  static State reduce(const BodyPose<Real>& pose, const State& last) {
    using std::sqrt;
    const Eigen::Quaternion<Real> q(pose.Q);  // divides by the largest component
    const Real side = q.w() * last[3] + q.x() * last[4] + q.y() * last[5] + q.z() * last[6];
    // Q is a rotation to round-off only.
    const Real length = (side < 0 ? -1 : 1) * sqrt(pose.vertical) / q.norm();
    return {pose.pi[0], pose.pi[1], pose.pi[2], length * q.w(), length * q.x(), length * q.y(), length * q.z()};
  }
};

}  // namespace polhode
