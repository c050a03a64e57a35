// The free rigid body by its discrete Euler-Lagrange equations, after Moser & Veselov, Commun. Math. Phys. 139 (1991)
// 217: stationary sum of tr(Q_k D Q_{k+1}^T) over rotations, D = diag(alpha). According to them the spatial momentum
//
//   h hat(M) = Q_{k+1} D Q_k^T - Q_k D Q_{k+1}^T
//
// is the same for all k; the body angular momentum at k is Q_k^T M. With Q = Q_k and M known, a step solves
//
//   0 = Q1 D Q^T - Q D Q1^T - h hat(M),   0 = Q1^T Q1 - 1
//
// stacked, 9 equations for the 9 entries of Q1: the form (12) of McLachlan & Scovel 1995, which Theorem 6 identifies
// with their other algorithms for c = 0. It has no multipliers, no P and no inverse of D, so that it shares only the
// constraint with the constrained steps of body_matrices.hpp; alpha_i = 0 is allowed.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "backend/reference/body_pose.hpp"
#include "backend/reference/complex_step.hpp"
#include "backend/reference/dense_newton.hpp"
#include "backend/reference/inverse_modified_moments.hpp"
#include "backend/reference/kick_fractions.hpp"
#include "polhode/method/status.hpp"

namespace polhode {

template <class Real>
class MoserVeselovBody {
 public:
  /// Body with parameters[7]: I1 I2 I3, chi1 chi2 chi3, c. order: 2, or 4, 6, 8 or 10 with modified moments. Throws
  /// std::invalid_argument unless c = 0. set_pose() must follow.
  explicit MoserVeselovBody(const double* parameters, int order = 2)
      : moments_(parameters[0], parameters[1], parameters[2]), order_(order), alpha_(alpha_of<Real>(parameters)) {
    if (parameters[6] == 0) return;
    std::ostringstream message;
    message << "c = " << parameters[6] << " cannot be used (moser-veselov is for the free body). Set it to 0.";
    throw std::invalid_argument(message.str());
  }

  void set_pose(const BodyPose<Real>& pose) {
    q_ = pose.Q.reshaped();
    momentum_ = pose.Q * pose.pi;
    vertical_ = pose.vertical;
  }
  BodyPose<Real> pose() const {
    const Eigen::Map<const Matrix3<Real>> Q(q_.data());
    return {Q, Q.transpose() * momentum_, vertical_};
  }

  /// Adds a change to the spatial momentum M.
  void kick(const Vector3<Real>& change) { momentum_ += change; }

  /// One step of length h (negative: backwards), without kicks. Changes nothing unless the result is Status::ok.
  Status advance(Real h, KickFractions = {}) {
    const Vector3<Real> turn = h * momentum_;
    if (!turn.allFinite()) return Status::not_finite;
    if (order_ > 2) {
      const Vector3<Real> inverse = inverse_modified_moments<Real>(moments_, pose().pi, h, order_);
      const Real angle = std::abs(h) * pose().pi.cwiseQuotient(moments_).norm();
      if (!(inverse.minCoeff() > 0 && angle < std::numbers::pi_v<Real> / 2)) return Status::no_moments;
      const Vector3<Real> modified = inverse.cwiseInverse();
      alpha_ = Vector3<Real>::Constant(modified.sum() / 2) - modified;
    }
    Stacked next = q_;
    if (!solve_dense_newton<Real, 9>([&](const Stacked& y) { return equations_at(y, turn); }, next))
      return Status::not_converged;
    q_ = next;
    return Status::ok;
  }

 private:
  using Stacked = Eigen::Vector<Real, 9>;

  /// Equations of a step at next = Q1, column by column; turn = h M.
  Linearisation<Real, 9> equations_at(const Stacked& next, const Vector3<Real>& turn) const {
    const auto equations = [&](const auto& y) { return residual(y, turn); };
    // Entries of rotations are at most 1: the two lines are sums of terms of these sizes.
    const Real momentum_size = alpha_.cwiseAbs().sum() + turn.cwiseAbs().maxCoeff();
    const Stacked at_next = equations(next);
    return {at_next, complex_step_jacobian<9>(equations, next),
            std::max(at_next.template head<3>().cwiseAbs().maxCoeff() / momentum_size,
                     at_next.template tail<6>().cwiseAbs().maxCoeff())};
  }

  template <class S>
  Eigen::Vector<S, 9> residual(const Eigen::Vector<S, 9>& next, const Vector3<Real>& turn) const {
    const Eigen::Map<const Matrix3<S>> Q1(next.data());
    const Eigen::Map<const Matrix3<Real>> Q(q_.data());
    const Matrix3<S> DQt = (alpha_.asDiagonal() * Q.transpose()).template cast<S>();
    const Matrix3<S> carried = Q1 * DQt;
    Eigen::Vector<S, 9> stacked;
    stacked << axial(carried - carried.transpose()) - turn.template cast<S>(), orthogonality(next);
    return stacked;
  }

  Vector3<Real> moments_;
  int order_;
  Vector3<Real> alpha_;
  Stacked q_ = Stacked::Zero();                     ///< Q, column by column
  Vector3<Real> momentum_ = Vector3<Real>::Zero();  ///< M
  Real vertical_ = 1;
};

}  // namespace polhode
