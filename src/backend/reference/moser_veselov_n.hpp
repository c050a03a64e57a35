// The free rigid body on SO(n) by the discrete Euler-Lagrange equations of Moser & Veselov, Commun. Math. Phys. 139
// (1991) 217, in body coordinates: with J = diag(alpha), a step solves
//
//   0 = w^T J - J w - h m,   0 = w^T w - 1
//
// stacked, n^2 equations for the n^2 entries of w, and takes m to w m w^T (McLachlan & Scovel 1995, sect. 6.1).
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/dense_newton.hpp"
#include "backend/reference/kick_fractions.hpp"
#include "polhode/method/status.hpp"
#include "polhode/system/rigid_body_n.hpp"

namespace polhode {

template <class Real, int n>
class MoserVeselovN {
 public:
  using System = RigidBodyN<n>;
  using State = std::array<Real, System::dim>;  ///< m12 m13 ... m(n-1)n

  /// Body with parameters[n]: alpha, and the step h. set_state() must follow.
  MoserVeselovN(const double* parameters, Real h)
      : alpha_(Eigen::Map<const Eigen::Vector<double, n>>(parameters).template cast<Real>()), h_(h) {}

  void set_state(const State& state) { state_ = state; }
  const State& state() const { return state_; }

  bool step() { return advance(h_) == Status::ok; }
  /// One step of length h (negative: backwards) instead of the constructor's, without kicks. Changes nothing unless the
  /// result is Status::ok.
  Status advance(Real h, KickFractions = {}) {
    const Matrix m = matrix();
    if (!(h * m).allFinite()) return Status::not_finite;
    Stacked w = Matrix::Identity().reshaped();
    if (!solve_dense_newton<Real, n * n>([&](const Stacked& y) { return equations_at(y, h * m); }, w))
      return Status::not_converged;
    const Eigen::Map<const Matrix> turn(w.data());
    const Matrix turned = turn * m * turn.transpose();
    for (int i = 0, k = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) state_[k++] = turned(i, j);
    return Status::ok;
  }

 private:
  using Matrix = Eigen::Matrix<Real, n, n>;
  using Stacked = Eigen::Vector<Real, n * n>;

  Matrix matrix() const {
    Matrix m = Matrix::Zero();
    for (int i = 0, k = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        m(i, j) = state_[k++];
        m(j, i) = -m(i, j);
      }
    return m;
  }

  /// Equations of a step at w; hm = h m.
  Linearisation<Real, n * n> equations_at(const Stacked& w, const Matrix& hm) const {
    const auto equations = [&](const auto& y) { return residual(y, hm); };
    const Stacked at = equations(w);
    const Real momentum_size = 2 * alpha_.cwiseAbs().maxCoeff() + hm.cwiseAbs().maxCoeff();
    constexpr int momentum = n * (n - 1) / 2;
    return {at, complex_step_jacobian<n * n>(equations, w),
            std::max(at.template head<momentum>().cwiseAbs().maxCoeff() / momentum_size,
                     at.template tail<n * n - momentum>().cwiseAbs().maxCoeff())};
  }

  /// Residual at w = y: elements of the first equation above the diagonal, then those of the second on and above the
  /// diagonal.
  template <class S>
  Eigen::Vector<S, n * n> residual(const Eigen::Vector<S, n * n>& y, const Matrix& hm) const {
    using MatrixS = Eigen::Matrix<S, n, n>;
    const Eigen::Map<const MatrixS> w(y.data());
    const MatrixS J = alpha_.template cast<S>().asDiagonal();
    const MatrixS momentum = w.transpose() * J - J * w - hm.template cast<S>();
    const MatrixS excess = w.transpose() * w - MatrixS::Identity();
    Eigen::Vector<S, n * n> stacked;
    int k = 0;
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) stacked[k++] = momentum(i, j);
    for (int i = 0; i < n; ++i)
      for (int j = i; j < n; ++j) stacked[k++] = excess(i, j);
    return stacked;
  }

  Eigen::Vector<Real, n> alpha_;
  Real h_;
  State state_{};
};

}  // namespace polhode
