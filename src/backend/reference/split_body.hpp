// The rigid body in a potential, split: kicks by the torque around a free body, that of moser_veselov_body.hpp or of
// turned_body.hpp.
//
// A kick over t changes P by -t V_Q(Q), hence hat(Pi) = Q^T P - P^T Q by -t (Q^T V_Q - V_Q^T Q) (body_matrices.hpp); V
// is differentiated by the complex step.
#pragma once

#include <algorithm>
#include <array>
#include <complex>

#include "backend/reference/body_matrices.hpp"
#include "backend/reference/moser_veselov_body.hpp"
#include "backend/reference/turned_body.hpp"
#include "polhode/system/top.hpp"

namespace polhode {

template <class Real, class Free>
class SplitBody {
 public:
  /// Body with parameters[7]: I1 I2 I3, chi1 chi2 chi3, c, and further arguments of Free. set_pose() must follow.
  template <class... Arguments>
  explicit SplitBody(const double* parameters, const Arguments&... arguments)
      : body_(parameters), free_(free_body(parameters).data(), arguments...) {}

  void set_pose(const BodyPose<Real>& pose) {
    vertical_ = pose.vertical;
    free_.set_pose(pose);
  }
  BodyPose<Real> pose() const { return free_.pose(); }

  /// A kick, the free motion over h (negative: backwards), a kick. Changes nothing unless the result is Status::ok.
  Status advance(Real h, KickFractions kicks) {
    Free moved = free_;
    moved.kick(Real(kicks.before) * h * torque(moved.pose().Q));
    if (const Status status = moved.advance(h); status != Status::ok) return status;
    moved.kick(Real(kicks.after) * h * torque(moved.pose().Q));
    free_ = moved;
    return Status::ok;
  }

 private:
  using Complex = std::complex<Real>;

  static std::array<double, Top::n_parameters> free_body(const double* parameters) {
    std::array<double, Top::n_parameters> free;
    std::copy_n(parameters, free.size() - 1, free.begin());
    free.back() = 0;  // c
    return free;
  }

  /// Torque of the potential at Q, in space.
  Vector3<Real> torque(const Matrix3<Real>& Q) const {
    const auto potential = [&](const auto& q) {
      return Eigen::Vector<Complex, 1>(body_.potential({vertical_ * q[2], vertical_ * q[5], vertical_ * q[8]}));
    };
    const Eigen::Vector<Real, 9> stacked = Q.reshaped();
    const Matrix3<Real> gradient = complex_step_jacobian<1>(potential, stacked).transpose().reshaped(3, 3);
    const Matrix3<Real> change = Q.transpose() * gradient;
    return -(Q * axial(change - change.transpose()));
  }

  Top::Body<Complex> body_;
  Free free_;
  Real vertical_ = 1;
};

template <class Real>
struct SplitMoserVeselov : SplitBody<Real, MoserVeselovBody<Real>> {
  using SplitBody<Real, MoserVeselovBody<Real>>::SplitBody;
};
template <class Real>
struct SplitTurned : SplitBody<Real, TurnedBody<Real>> {
  using SplitBody<Real, TurnedBody<Real>>::SplitBody;
};

}  // namespace polhode
