// The heavy top before reduction: a rotation Q (body to space) and its conjugate momentum P, 3x3 matrices.
//
//   H(Q, P) = 1/2 tr(P D^-1 P^T) + V(Q),   0 = Q^T Q - 1,   D = diag(alpha),   I1 = alpha2 + alpha3 and cyclic
//
// (Hairer 2003, eq. (5.1)). With Q' = Q hat(Omega) and P = Q' D, the reduced state of system/heavy_top.hpp is
//
//   Gamma = Q^T e3,   hat(Pi) = Q^T P - P^T Q = hat(Omega) D + D hat(Omega)
//
// A Gamma whose length r is not quite 1 cannot be the column of a rotation. The reduced equations are linear in it, so
// the vertical is taken as r e3 instead: Gamma = Q^T r e3 with Q a rotation is exact for any r > 0.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <sstream>
#include <stdexcept>

#include "backend/reference/constrained_rattle.hpp"
#include "polhode/system/heavy_top.hpp"

namespace polhode {

template <class Real>
using Matrix3 = Eigen::Matrix<Real, 3, 3>;

/// hat(v) w = v x w.
template <class Real>
Matrix3<Real> hat(const Eigen::Vector<Real, 3>& v) {
  Matrix3<Real> m;
  m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return m;
}

/// The heavy top as a ConstrainedRattle problem; q and p are Q and P, column after column.
template <class Real>
struct HeavyTopMatrices {
  static constexpr int N = 9;  ///< coordinates
  static constexpr int D = 6;  ///< constraints

  std::array<double, HeavyTop::n_parameters> parameters;  ///< as HeavyTop::Model reads them
  Eigen::Vector<Real, 3> alpha;
  Real vertical = 1;  ///< r above

  /// flat[7]: I1 I2 I3, chi1 chi2 chi3, c. Throws std::invalid_argument where D is singular.
  explicit HeavyTopMatrices(const double* flat) {
    for (int i = 0; i < HeavyTop::n_parameters; ++i) parameters[i] = flat[i];
    const Real half_trace = (Real(flat[0]) + Real(flat[1]) + Real(flat[2])) / 2;
    for (int i = 0; i < 3; ++i) {
      alpha[i] = half_trace - Real(flat[i]);
      if (alpha[i] == 0) refuse_alpha(i);
    }
  }

  /// P -> P D^-1 scales columns.
  Eigen::Matrix<Real, N, N> inverse_mass() const {
    Eigen::Vector<Real, N> diagonal;
    for (int k = 0; k < N; ++k) diagonal[k] = 1 / alpha[k / 3];
    return diagonal.asDiagonal();
  }

  /// V(Q): the energy of a body at rest.
  template <class S>
  S potential(const Eigen::Vector<S, N>& q) const {
    const S r(vertical), none(0);
    return typename HeavyTop::Model<S>(parameters.data()).energy({none, none, none, r * q[2], r * q[5], r * q[8]});
  }

  /// g(Q): upper triangle of (Q^T Q - 1)/2, column after column.
  template <class S>
  Eigen::Vector<S, D> constraints(const Eigen::Vector<S, N>& q) const {
    const Eigen::Map<const Matrix3<S>> Q(q.data());
    const Matrix3<S> excess = S(0.5) * (Q.transpose() * Q - Matrix3<S>::Identity());
    return {excess(0, 0), excess(0, 1), excess(1, 1), excess(0, 2), excess(1, 2), excess(2, 2)};
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

/// (Pi, Gamma) -> (Q, P), with the one of the rotations about the vertical that is easiest to write down. Sets
/// problem.vertical.
template <class Real>
PhasePoint<Real, 9> embed(const std::array<Real, 6>& reduced, HeavyTopMatrices<Real>& problem) {
  const Eigen::Vector<Real, 3> pi(reduced[0], reduced[1], reduced[2]), gamma(reduced[3], reduced[4], reduced[5]);
  problem.vertical = gamma.norm();
  const Eigen::Vector<Real, 3> up = gamma / problem.vertical;
  int least = 0;  // the body axis furthest from the vertical
  up.cwiseAbs().minCoeff(&least);
  const Eigen::Vector<Real, 3> across = up.cross(Eigen::Vector<Real, 3>::Unit(least)).normalized();

  Matrix3<Real> Q;
  Q << across.transpose(), up.cross(across).transpose(), up.transpose();
  Eigen::Vector<Real, 3> omega;
  for (int i = 0; i < 3; ++i) omega[i] = pi[i] / Real(problem.parameters[i]);
  const Matrix3<Real> P = Q * hat(omega) * problem.alpha.asDiagonal();
  return {Q.reshaped(), P.reshaped()};
}

/// (Q, P) -> (Pi, Gamma).
template <class Real>
std::array<Real, 6> reduce(const PhasePoint<Real, 9>& x, const HeavyTopMatrices<Real>& problem) {
  const Eigen::Map<const Matrix3<Real>> Q(x.q.data()), P(x.p.data());
  const Matrix3<Real> QtP = Q.transpose() * P;
  const Matrix3<Real> m = QtP - QtP.transpose();
  const Real r = problem.vertical;
  return {m(2, 1), m(0, 2), m(1, 0), r * Q(2, 0), r * Q(2, 1), r * Q(2, 2)};
}

}  // namespace polhode
