// The rigid body in a potential, split: kicks by the torque around a free body, that of moser_veselov_body.hpp or of
// turned_body.hpp.
//
// A kick over t changes P by -t V_Q(Q), hence hat(Pi) = Q^T P - P^T Q by -t (Q^T V_Q - V_Q^T Q) (body_matrices.hpp); V
// is differentiated by the complex step.
#pragma once

#include <array>
#include <complex>

#include "backend/reference/body_matrices.hpp"
#include "backend/reference/moser_veselov_body.hpp"
#include "backend/reference/turned_body.hpp"
#include "polhode/system/top.hpp"

namespace polhode {

/// Body in the potential of a System, split. System: as for BodyMatrices; Free: MoserVeselovBody or TurnedBody.
template <class Real, class System, class Free>
class SplitBody {
 public:
  /// Body with the parameters of System, and further arguments of Free. set_pose() must follow.
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

  /// The parameters of Top with the same moments and c = 0.
  static std::array<double, Top::n_parameters> free_body(const double* parameters) {
    return {parameters[0], parameters[1], parameters[2]};
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

  typename System::template Body<Complex> body_;
  Free free_;
  Real vertical_ = 1;
};

template <class Real>
struct SplitMoserVeselov : SplitBody<Real, Top, MoserVeselovBody<Real>> {
  using SplitBody<Real, Top, MoserVeselovBody<Real>>::SplitBody;
};
template <class Real>
struct SplitTurned : SplitBody<Real, Top, TurnedBody<Real>> {
  using SplitBody<Real, Top, TurnedBody<Real>>::SplitBody;
};

}  // namespace polhode
