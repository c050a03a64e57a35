// Embedding of (Pi, Gamma) of system/heavy_top.hpp, and of systems with the same states, as a body in space.
#pragma once

#include <array>

#include "backend/reference/body_pose.hpp"
#include "polhode/system/heavy_top.hpp"

namespace polhode {

template <class System_, class Real>
struct VerticalEmbedding {
  using System = System_;
  using State = std::array<Real, 6>;  ///< pi1 pi2 pi3 gamma1 gamma2 gamma3

  /// Pose of a state. The rotation about the vertical is arbitrary; this one is the easiest to write down.
  static BodyPose<Real> lift(const State& x) {
    const Vector3<Real> gamma(x[3], x[4], x[5]);
    const Real length = gamma.norm();
    const Vector3<Real> up = gamma / length;
    int least = 0;  // the body axis farthest from the vertical
    up.cwiseAbs().minCoeff(&least);
    const Vector3<Real> across = up.cross(Vector3<Real>::Unit(least)).normalized();
    Matrix3<Real> Q;
    Q << across.transpose(), up.cross(across).transpose(), up.transpose();
    return {Q, {x[0], x[1], x[2]}, length};
  }

  /// State of a pose; the last state is not needed.
  static State reduce(const BodyPose<Real>& pose, const State& /*last*/) {
    const Vector3<Real> gamma = pose.vertical * pose.Q.row(2).transpose();
    return {pose.pi[0], pose.pi[1], pose.pi[2], gamma[0], gamma[1], gamma[2]};
  }
};

template <class Real>
struct HeavyTopEmbedding : VerticalEmbedding<HeavyTop, Real> {};

}  // namespace polhode
