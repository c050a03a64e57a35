// The free rigid body on so(3)* by the generating function S(xi, h) of lie_poisson_action.hpp, up to some power of the
// step h: with its derivative dS by xi, a step solves
//
//   0 = B(xi) Pi + dS(xi, h)
//
// for the rotation vector xi by Newton's method, and turns Pi by it.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "backend/reference/dense_newton.hpp"
#include "backend/reference/kick_fractions.hpp"
#include "backend/reference/lie_poisson_action.hpp"
#include "polhode/method/status.hpp"
#include "polhode/system/rigid_body_n.hpp"

namespace polhode {

class GeneratedBody {
 public:
  using System = RigidBodyN<3>;
  using State = std::array<double, 3>;  ///< m12 m13 m23 = -Pi3 Pi2 -Pi1

  /// Energy as a function of Pi.
  struct Energy {
    std::array<double, 3> alpha;

    template <class S>
    S operator()(const Vec<S, 3>& pi) const {
      return System::Model<S>(alpha.data()).energy({-pi[2], pi[1], -pi[0]});
    }
  };

  /// Body with parameters[3] (alpha), the step h, the largest power of h in dS (order, 1 to 3), and kappa
  /// (lie_poisson_action.hpp). set_state() must follow.
  GeneratedBody(const double* parameters, double h, int order, double kappa)
      : action_(Energy{{parameters[0], parameters[1], parameters[2]}}, kappa), h_(h), order_(order), kappa_(kappa) {}

  void set_state(const State& state) { state_ = state; }
  const State& state() const { return state_; }
  const LiePoissonAction<Energy>& action() const { return action_; }

  bool step() { return advance(h_) == Status::ok; }
  /// One step of length h (negative: backwards) instead of the constructor's. Changes nothing unless the result is
  /// Status::ok.
  Status advance(double h, KickFractions = {}) {
    const Vector pi{-state_[2], state_[1], -state_[0]};
    if (!pi.allFinite() || !std::isfinite(h)) return Status::not_finite;
    constexpr double full_turn = 2 * std::numbers::pi;
    if (!(pi.norm() / kappa_ < full_turn)) return Status::no_generating_function;
    Vector xi = -pi / kappa_;
    const auto equations = [&](const Vector& y) { return equations_at(y, pi, h); };
    if (!solve_dense_newton<double, 3>(equations, xi) || !(xi.norm() < full_turn)) return Status::not_converged;
    xi_ = xi;
    const double angle = xi.norm();
    if (angle == 0) return Status::ok;
    const Vector turned = Eigen::AngleAxisd(angle, xi / angle) * pi;
    state_ = {-turned[2], turned[1], -turned[0]};
    return Status::ok;
  }
  /// Rotation vector xi of the last step.
  std::array<double, 3> rotation_vector() const { return {xi_[0], xi_[1], xi_[2]}; }

 private:
  using Vector = Eigen::Vector<double, 3>;

  /// B(xi) Pi + dS(xi, h) up to the power `order` of h.
  template <class S>
  Vec<S, 3> equation(const Vec<S, 3>& xi, const Vector& pi, double h, int order) const {
    Vec<S, 3> sum = DerivativeOfExp<S>(xi)({S(pi[0]), S(pi[1]), S(pi[2])});
    sum = sum + action_.gradient<0>(xi) + S(h) * action_.template gradient<1>(xi);
    if (order >= 2) sum = sum + S(h * h) * action_.gradient<2>(xi);
    if (order >= 3) sum = sum + S(h * h * h) * action_.gradient<3>(xi);
    return sum;
  }

  /// Residual of the equation at xi = y, with the Jacobian of the equation of order 1: the other terms of the Jacobian
  /// are small, and would take most of the time.
  Linearisation<double, 3> equations_at(const Vector& y, const Vector& pi, double h) const {
    using Along = Dual<double, 3>;
    const Vec<double, 3> residual = equation(Vec<double, 3>{y[0], y[1], y[2]}, pi, h, order_);
    const Vec<Along, 3> first =
        equation(Vec<Along, 3>{Along::variable(y[0], 0), Along::variable(y[1], 1), Along::variable(y[2], 2)}, pi, h, 1);
    Linearisation<double, 3> at;
    for (int i = 0; i < 3; ++i) {
      at.residual[i] = residual[i];
      for (int k = 0; k < 3; ++k) at.jacobian(i, k) = first[i].tangent[k];
    }
    // At rest all is zero.
    at.relative = at.residual.norm() / (pi.norm() + kappa_ * y.norm() + std::numeric_limits<double>::min());
    return at;
  }

  LiePoissonAction<Energy> action_;
  double h_;
  int order_;
  double kappa_;
  State state_{};
  Vector xi_ = Vector::Zero();
};

}  // namespace polhode
