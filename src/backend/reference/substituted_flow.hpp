// A constrained system with its multipliers substituted (to compare the constrained methods with), from values of W p,
// V and g alone:
//
//   q' = W p,   p' = -V_q - G^T lambda,   G W G^T lambda = D^2 g(W p, W p) - G W V_q
//
// First derivatives are computed by the complex step; the second derivative along a line by Cauchy's integral over a
// circle, which for analytic g converges geometrically in the number of points.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <utility>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/constrained_step.hpp"
#include "backend/reference/flow_rule.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

class SubstitutedFlow final : public CloneableMotion<SubstitutedFlow> {
 public:
  SubstitutedFlow(ConstrainedProblem<double> problem, const ReferenceMethod& method)
      : N_(problem.inverse_mass.rows()),
        problem_(std::move(problem)),
        W_(problem_.inverse_mass),
        projects_(method.is_one_of({"rk4-projected", "runge-kutta-projected"})),
        rule_(method.name == "rk4-projected" ? ReferenceMethod{"rk4"} : method, N_) {}

  void set_state(const double* x) override { state_ = Eigen::Map<const Vector>(x, 2 * N_); }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions) override {
    const Vector& x = state_;
    if (is_singular(x)) return Status::singular;
    Vector y;
    bool solved = rule_.step([this](const Vector& z) { return rate(z); }, h, x, y);
    if (projects_) solved = project(y);
    if (!y.allFinite()) return Status::not_finite;
    if (!solved) return Status::not_converged;
    state_ = y;
    return Status::ok;
  }

 private:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  /// Whether the constraints are dependent at x. Eigen would compute some multipliers even then.
  bool is_singular(const Vector& x) const {
    const Matrix G = constraint_jacobian(x.head(N_));
    return are_dependent<double>(G * W_ * G.transpose());
  }

  Matrix constraint_jacobian(const Vector& q) const {
    return complex_step_jacobian<Eigen::Dynamic>(problem_.constraints, q);
  }

  /// d^2/dt^2 g(q + t v) at 0.
  Vector curvature(const Vector& q, const Vector& v) const {
    constexpr int points = 16;
    const double speed = v.norm();
    if (speed == 0) return Vector::Zero(problem_.constraints_at(q).size());
    const double radius = q.norm() / (2 * speed);
    Eigen::VectorXcd sum;
    for (int k = 0; k < points; ++k) {
      const Complex z = std::polar(1.0, 2 * std::numbers::pi * k / points);
      const Eigen::VectorXcd at = q.cast<Complex>() + (radius * z) * v.cast<Complex>();
      const Eigen::VectorXcd term = problem_.constraints(at) / (z * z);
      if (k == 0)
        sum = term;
      else
        sum += term;
    }
    return 2 / (radius * radius * points) * sum.real();
  }

  Vector rate(const Vector& x) const {
    const Vector q = x.head(N_), v = W_ * x.tail(N_);
    const Matrix G = constraint_jacobian(q);
    const auto potential = [&](const auto& z) { return Eigen::Vector<Complex, 1>(problem_.potential(z)); };
    const Vector gradient = complex_step_jacobian<1>(potential, q).transpose();
    const Matrix matrix = G * W_ * G.transpose();
    const Vector lambda = solve_multipliers<double>(matrix, curvature(q, v) - G * (W_ * gradient));
    Vector y(2 * N_);
    y << v, -gradient - G.transpose() * lambda;
    return y;
  }

  /// Projects the position of y = (q, p) along W G^T to the constraints, the momentum along G^T to the hidden
  /// constraint; returns false if the position does not reach the constraints.
  bool project(Vector& y) const {
    const Vector start = y.head(N_), p = y.tail(N_);
    const Matrix direction = W_ * constraint_jacobian(start).transpose();
    Vector q = start, s = Vector::Zero(direction.cols());
    for (int k = 0; k < 6; ++k) {
      s += solve_multipliers<double>(constraint_jacobian(q) * direction, problem_.constraints_at(q));
      q = start - direction * s;
    }
    const Matrix G = constraint_jacobian(q), matrix = G * W_ * G.transpose();
    y << q, p - G.transpose() * solve_multipliers<double>(matrix, G * (W_ * p));
    return problem_.constraints_at(q).norm() < 1e-13 * q.squaredNorm();
  }

  Eigen::Index N_;
  ConstrainedProblem<double> problem_;
  Matrix W_;
  bool projects_;
  FlowRule rule_;
  Vector state_;  ///< q, p
};

}  // namespace polhode
