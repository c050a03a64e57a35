// The free rigid body by exact flows of parts of its energy, as rotations of Q while the spatial momentum M stays:
//
//   Pi_i^2 / (2 I_i)     Q <- Q exp(t Omega_i hat(e_i)),  Omega_i = Pi_i / I_i,  Pi = Q^T M
//   |Pi|^2 / (2 I_a)     Q <- exp(t hat(M) / I_a) Q
//
// in the orders of McLachlan 1993 and Reich 1994, and of Touma & Wisdom 1994 (polhode/method/axis_rotations.hpp).
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "backend/reference/body_pose.hpp"
#include "polhode/method/status.hpp"

namespace polhode {

template <class Real>
class TurnedBody {
 public:
  /// Body with parameters[7]: I1 I2 I3, chi1 chi2 chi3, c; only the moments are used. is_perturbed: split as by Touma &
  /// Wisdom, else as by McLachlan and Reich. set_pose() must follow.
  TurnedBody(const double* parameters, bool is_perturbed)
      : inverse_(1 / Real(parameters[0]), 1 / Real(parameters[1]), 1 / Real(parameters[2])),
        is_perturbed_(is_perturbed) {}

  void set_pose(const BodyPose<Real>& pose) {
    Q_ = pose.Q;
    momentum_ = pose.Q * pose.pi;
    vertical_ = pose.vertical;
  }
  BodyPose<Real> pose() const { return {Q_, Q_.transpose() * momentum_, vertical_}; }

  /// Adds a change to the spatial momentum M.
  void kick(const Vector3<Real>& change) { momentum_ += change; }

  /// One step of length h (negative: backwards), without kicks. Changes nothing unless the result is Status::ok.
  Status advance(Real h) {
    const Matrix3<Real> before = Q_;
    if (is_perturbed_)
      advance_perturbed(h);
    else
      for (const auto& [axis, part] : {std::pair{0, 0.5}, {1, 0.5}, {2, 1.0}, {1, 0.5}, {0, 0.5}})
        turn(axis, inverse_[axis] * Real(part) * h);
    if (Q_.allFinite()) return Status::ok;
    Q_ = before;
    return Status::not_finite;
  }

 private:
  /// Turns the body about one of its axes, by the angle `rate` times the component of Pi along it.
  void turn(int axis, Real rate) {
    const Real angle = rate * Q_.col(axis).dot(momentum_);
    Q_ = Q_ * Eigen::AngleAxis<Real>(angle, Vector3<Real>::Unit(axis)).toRotationMatrix();
  }
  void advance_perturbed(Real h) {
    constexpr std::array<int, 3> axes{0, 1, 2};
    const auto apart = [&](int c) { return std::abs(inverse_[(c + 1) % 3] - inverse_[(c + 2) % 3]); };
    const int c = *std::ranges::min_element(axes, {}, apart), a = (c + 1) % 3, b = (c + 2) % 3;
    turn(b, (inverse_[b] - inverse_[a]) * h / 2);
    turn(c, (inverse_[c] - inverse_[a]) * h);
    const Real size = momentum_.norm();
    if (size > 0) Q_ = Eigen::AngleAxis<Real>(inverse_[a] * size * h, momentum_ / size).toRotationMatrix() * Q_;
    turn(b, (inverse_[b] - inverse_[a]) * h / 2);
  }

  Vector3<Real> inverse_;
  bool is_perturbed_;
  Matrix3<Real> Q_ = Matrix3<Real>::Identity();
  Vector3<Real> momentum_ = Vector3<Real>::Zero();
  Real vertical_ = 1;
};

}  // namespace polhode
