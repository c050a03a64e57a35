// A constrained system with its multipliers substituted (what the constrained methods compete with), from the values of
// W p, V and g alone:
//
//   q' = W p,   p' = -V_q - G^T lambda,   G W G^T lambda = D^2 g(W p, W p) - G W V_q
//
// First derivatives are by the complex step; the second one along a line by Cauchy's integral over a circle, which for
// analytic g converges geometrically in the number of points.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "backend/reference/reference_motion.hpp"

namespace polhode {

/// The methods in polhode/method/substituted_multipliers.hpp.
enum class FlowRule { implicit_midpoint, rk4, rk4_projected };

template <class Real, class System_, FlowRule rule>
class ReferenceFlow {
 public:
  using System = System_;
  static constexpr int N = System::N, D = System::D;
  using State = std::array<Real, System::dim>;  ///< q, p

  /// parameters: as System::parameters. set_state() must follow.
  ReferenceFlow(const double* parameters, Real h) : problem_(parameters), W_(problem_.inverse_mass()), h_(h) {}

  void set_state(const State& state) { state_ = state; }
  const State& state() const { return state_; }

  bool step() { return advance(h_) == Status::ok; }
  /// One step of another length. Nothing is changed unless the result is Status::ok.
  Status advance(Real h) {
    const Phase x = Eigen::Map<const Phase>(state_.data());
    Phase y;
    if constexpr (rule == FlowRule::implicit_midpoint) {
      if (!midpoint(h, x, y)) return Status::not_converged;
    } else {
      const Phase a = rate(x), b = rate(x + h / 2 * a), c = rate(x + h / 2 * b), d = rate(x + h * c);
      y = x + h / 6 * (a + 2 * b + 2 * c + d);
      if (rule == FlowRule::rk4_projected && !project(y)) return Status::not_converged;
    }
    if (!y.allFinite()) return Status::not_finite;
    std::copy_n(y.begin(), System::dim, state_.begin());
    return Status::ok;
  }

 private:
  using Position = Eigen::Vector<Real, N>;
  using Phase = Eigen::Vector<Real, 2 * N>;
  using Multipliers = Eigen::Vector<Real, D>;
  using Jacobian = Eigen::Matrix<Real, D, N>;

  Jacobian constraint_jacobian(const Position& q) const {
    return complex_step_jacobian<D>([&](const auto& z) { return problem_.constraints(z); }, q);
  }

  /// d^2/dt^2 g(q + t v) at 0.
  Multipliers curvature(const Position& q, const Position& v) const {
    using Complex = std::complex<Real>;
    constexpr int points = 16;
    const Real speed = v.norm();
    if (speed == 0) return Multipliers::Zero();
    const Real radius = q.norm() / (2 * speed);
    Eigen::Vector<Complex, D> sum = Eigen::Vector<Complex, D>::Zero();
    for (int k = 0; k < points; ++k) {
      const Complex z = std::polar(Real(1), 2 * std::numbers::pi_v<Real> * k / points);
      const Eigen::Vector<Complex, N> at = q.template cast<Complex>() + (radius * z) * v.template cast<Complex>();
      sum += problem_.constraints(at) / (z * z);
    }
    return 2 / (radius * radius * points) * sum.real();
  }

  Phase rate(const Phase& x) const {
    const Position q = x.template head<N>(), v = W_ * x.template tail<N>();
    const Jacobian G = constraint_jacobian(q);
    const auto potential = [&](const auto& z) { return Eigen::Vector<std::complex<Real>, 1>(problem_.potential(z)); };
    const Position force = complex_step_jacobian<1>(potential, q).transpose();
    const Eigen::Matrix<Real, D, D> matrix = G * W_ * G.transpose();
    const Multipliers lambda = matrix.fullPivLu().solve(curvature(q, v) - G * (W_ * force));
    Phase y;
    y << v, -force - G.transpose() * lambda;
    return y;
  }

  /// y = x + h f((x + y) / 2) by fixed point, until it stagnates.
  bool midpoint(Real h, const Phase& x, Phase& y) const {
    Real last = std::numeric_limits<Real>::infinity();
    y = x + h * rate(x);
    for (int k = 0; k < 200; ++k) {
      const Phase next = x + h * rate((x + y) / 2);
      const Real change = (next - y).norm();
      y = next;
      if (!(change < last)) return change < 1e-13 * y.norm();
      last = change;
    }
    return false;
  }

  /// The position along W G^T, the momentum along G^T.
  bool project(Phase& y) const {
    const Position start = y.template head<N>();
    const Eigen::Matrix<Real, N, D> direction = W_ * constraint_jacobian(start).transpose();
    Position q = start;
    Multipliers s = Multipliers::Zero();
    for (int k = 0; k < 6; ++k) {
      s += (constraint_jacobian(q) * direction).eval().fullPivLu().solve(problem_.constraints(q));
      q = start - direction * s;
    }
    const Jacobian G = constraint_jacobian(q);
    const Position p = y.template tail<N>();
    const Eigen::Matrix<Real, D, D> matrix = G * W_ * G.transpose();
    y << q, p - G.transpose() * matrix.fullPivLu().solve(G * (W_ * p));
    return problem_.constraints(q).norm() < 1e-13 * q.squaredNorm();
  }

  SystemProblem<Real, System> problem_;
  Eigen::Matrix<Real, N, N> W_;
  Real h_;
  State state_{};
};

}  // namespace polhode
