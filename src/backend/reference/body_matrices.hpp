// The rigid body before reduction: a rotation Q (body to space) and its conjugate momentum P, 3x3 matrices, advanced by
// the constrained steps of constrained_step.hpp.
//
//   H(Q, P) = 1/2 tr(P D^-1 P^T) + V(Q),   0 = Q^T Q - 1,   D = diag(alpha),   I1 = alpha2 + alpha3 and cyclic
//
// (Hairer 2003, eq. (5.1)). With Q' = Q hat(Omega) and P = Q' D, the reduced state of system/top.hpp is
//
//   Gamma = Q^T e3,   hat(Pi) = Q^T P - P^T Q = hat(Omega) D + D hat(Omega)
//
// A Gamma whose length r differs from 1 cannot be Q^T e3 for a rotation Q. The reduced equations are linear in it, so
// the vertical is taken as r e3 instead: Gamma = Q^T r e3 with a rotation Q is exact for any r > 0.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <sstream>
#include <stdexcept>

#include "backend/reference/body_pose.hpp"
#include "backend/reference/constrained_step.hpp"
#include "polhode/system/top.hpp"

namespace polhode {

/// The body as a problem for ConstrainedStep; q and p are Q and P, column by column. System: Top, or another system
/// with a Body<S>. The first parameters of the Body are I1 I2 I3, and it has a potential(Gamma).
template <class Real, class System = Top>
struct BodyMatrices {
  std::array<double, System::n_parameters> parameters;  ///< in the order of System::Body
  Vector3<Real> alpha;
  Real vertical = 1;  ///< r of the head comment

  /// Body with the parameters flat[]. Throws std::invalid_argument if D is singular.
  explicit BodyMatrices(const double* flat) : alpha(alpha_of<Real>(flat)) {
    for (int i = 0; i < System::n_parameters; ++i) parameters[i] = flat[i];
    for (int i = 0; i < 3; ++i)
      if (alpha[i] == 0) refuse_alpha(i);
  }

  ConstrainedProblem<Real> equations() const {
    using S = std::complex<Real>;
    Eigen::VectorX<Real> columns(9);  // P -> P D^-1 scales columns
    for (int k = 0; k < 9; ++k) columns[k] = 1 / alpha[k / 3];
    return {
        .inverse_mass = columns.asDiagonal(),
        .potential =
            [body = typename System::template Body<S>(parameters.data()), r = S(vertical)](const Eigen::VectorX<S>& q) {
              return body.potential({r * q[2], r * q[5], r * q[8]});
            },
        .constraints = [](const Eigen::VectorX<S>& q) -> Eigen::VectorX<S> {
          return orthogonality(Eigen::Vector<S, 9>(q));
        }};
  }

 private:
  [[noreturn]] void refuse_alpha(int i) const {
    std::ostringstream message;
    message << "alpha" << i + 1 << " = " << double(alpha[i])
            << " cannot be used (the reference backend divides by it; I1 = alpha2 + alpha3 and cyclic)."
            << " Choose other principal moments or another backend.";
    throw std::invalid_argument(message.str());
  }
};

/// One body, advanced as (Q, P), which it retains from step to step.
template <class Real, class System>
class ConstrainedBodyOf {
 public:
  /// Body with the parameters of System. Throws std::invalid_argument if an alpha_i is 0. set_pose() must follow.
  ConstrainedBodyOf(const double* parameters, KickFractions kicks)
      : problem_(parameters), kicks_(kicks), step_(problem_.equations()) {}

  void set_pose(const BodyPose<Real>& pose) {
    problem_.vertical = pose.vertical;  // which the equations hold
    step_ = ConstrainedStep<Real>(problem_.equations());
    Vector3<Real> omega;
    const auto& moments = problem_.parameters;  // of inertia, the first three
    for (int i = 0; i < 3; ++i) omega[i] = pose.pi[i] / Real(moments[i]);
    const Matrix3<Real> P = pose.Q * hat(omega) * problem_.alpha.asDiagonal();
    point_ = {pose.Q.reshaped(), P.reshaped()};
  }
  BodyPose<Real> pose() const {
    const Eigen::Map<const Matrix3<Real>> Q(point_.q.data()), P(point_.p.data());
    const Matrix3<Real> QtP = Q.transpose() * P;
    return {Q, axial(QtP - QtP.transpose()), problem_.vertical};
  }

  /// One step of length h (negative: backwards), with these kicks instead of the constructor's. Changes nothing unless
  /// the result is Status::ok.
  Status advance(Real h, KickFractions kicks) { return step_(h, kicks, point_); }
  Status advance(Real h) { return advance(h, kicks_); }

  Real energy() const { return step_.energy(point_); }
  /// Largest modulus of the entries of g(Q) = (Q^T Q - 1)/2.
  Real constraint_residual() const { return step_.constraint(point_).cwiseAbs().maxCoeff(); }
  /// Largest modulus of the entries of the rate of change of g(Q), sym(Q^T P D^-1).
  Real hidden_constraint_residual() const { return step_.hidden_constraint(point_).cwiseAbs().maxCoeff(); }

 private:
  BodyMatrices<Real, System> problem_;
  KickFractions kicks_;
  ConstrainedStep<Real> step_;
  PhasePoint<Real> point_;
};

template <class Real>
struct ConstrainedBody : ConstrainedBodyOf<Real, Top> {
  using ConstrainedBodyOf<Real, Top>::ConstrainedBodyOf;
};

}  // namespace polhode
