// One trajectory of a constrained Hamiltonian system whose H is any function:
//
//   0 = p' - p + a h H_q(q, p') + h G(q)^T lambda,   0 = q1 - q - h (a H_p(q, p') + b H_p(q1, p')),   0 = g(q1)
//   0 = p1 - p' + b h H_q(q1, p') + h G(q1)^T mu,    0 = G(q1) H_p(q1, p1)
//
// (McLachlan & Scovel 1995, eqs. (2), (3), (10); Hairer 2003, eqs. (2.6)-(2.9) with the two-stage Lobatto pair), each
// line stacked and solved by Newton's method. Uses only values of H and g of the system: first derivatives are computed
// by the complex step, the Jacobian of the iteration by differences of those.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/dense_newton.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

class HamiltonianMotion final : public CloneableMotion<HamiltonianMotion> {
 public:
  explicit HamiltonianMotion(HamiltonianValues values) : values_(std::move(values)), N_(values_.N), D_(values_.D) {}

  void set_state(const double* x) override { state_ = Eigen::Map<const Vector>(x, 2 * N_); }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions kicks) override {
    const auto [a, b] = kicks;
    const Vector q = state_.head(N_), p = state_.tail(N_);
    const Matrix G = jacobian(q);
    Vector p_free = p;
    if (a != 0) p_free -= a * h * position_gradient(q, p);
    const Vector q_free = q + h * velocity(q, p_free);
    if (!std::isfinite(q_free.squaredNorm())) return Status::not_finite;

    Vector position(2 * N_ + D_);  // p', q1, lambda
    position << p_free, q_free, Vector::Zero(D_);
    const auto position_equations = [&](const Vector& y) { return position_at(y, h, kicks, q, p, G); };
    if (!solve(position_equations, position)) return failure(G);
    const Vector moving = position.head(N_), q1 = position.segment(N_, N_);

    const Vector kicked = moving - b * h * position_gradient(q1, moving);
    if (!kicked.allFinite()) return Status::not_finite;
    Vector momentum(N_ + D_);  // p1, mu
    momentum << kicked, Vector::Zero(D_);
    const Matrix G1 = jacobian(q1);
    const auto momentum_equations = [&](const Vector& y) { return momentum_at(y, h, q1, kicked, G1); };
    if (!solve(momentum_equations, momentum)) return failure(G1);
    state_ << q1, momentum.head(N_);
    return Status::ok;
  }

 private:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  /// Reason why equations with these constraints have no solution.
  static Status failure(const Matrix& G) {
    return are_dependent<double>(G * G.transpose()) ? Status::singular : Status::not_converged;
  }

  /// F(y), and its largest entry relative to the size of the terms that cancel in it.
  struct Residual {
    Vector value;
    double relative;
  };

  Residual position_at(const Vector& y, double h, KickFractions kicks, const Vector& q, const Vector& p,
                       const Matrix& G) const {
    const auto [a, b] = kicks;
    const Vector p1 = y.head(N_), q1 = y.segment(N_, N_);
    const Vector kick = a * h * position_gradient(q, p1), force = h * (G.transpose() * y.tail(D_));
    const Vector move = h * (a * velocity(q, p1) + b * velocity(q1, p1));
    const Vector first = p1 - p + kick + force, second = q1 - q - move, third = constraints(q1);
    Vector value(2 * N_ + D_);
    value << first, second, third;
    return {value, std::max({size(first) / (size(p) + size(p1) + size(kick) + size(force) + tiny),
                             size(second) / (size(q) + size(move) + tiny),
                             size(third) / (size(jacobian(q1).cwiseAbs() * q1.cwiseAbs()) + tiny)})};
  }
  Residual momentum_at(const Vector& y, double h, const Vector& q1, const Vector& kicked, const Matrix& G1) const {
    const Vector p1 = y.head(N_), force = h * (G1.transpose() * y.tail(D_)), v = velocity(q1, p1);
    const Vector first = p1 - kicked + force, second = G1 * v;
    Vector value(N_ + D_);
    value << first, second;
    return {value, std::max(size(first) / (size(p1) + size(kicked) + size(force) + tiny),
                            size(second) / (size(G1.cwiseAbs() * v.cwiseAbs()) + tiny))};
  }

  /// equations(y) is a Residual.
  template <class Equations>
  static bool solve(const Equations& equations, Vector& y) {
    const auto linearised = [&](const Vector& at) {
      const Residual here = equations(at);
      Linearisation<double, Eigen::Dynamic> result{here.value, Matrix(at.size(), at.size()), here.relative};
      const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * (1 + size(at));
      for (int k = 0; k < at.size(); ++k) {
        const Vector e = step * Vector::Unit(at.size(), k);
        result.jacobian.col(k) = (equations(at + e).value - equations(at - e).value) / (2 * step);
      }
      return result;
    };
    return solve_dense_newton<double, Eigen::Dynamic>(linearised, y);
  }

  Vector velocity(const Vector& q, const Vector& p) const {
    const Eigen::VectorXcd fixed = q.cast<Complex>();
    return gradient([&](const auto& z) { return values_.hamiltonian(fixed.data(), z.data()); }, p);
  }
  Vector position_gradient(const Vector& q, const Vector& p) const {
    const Eigen::VectorXcd fixed = p.cast<Complex>();
    return gradient([&](const auto& z) { return values_.hamiltonian(z.data(), fixed.data()); }, q);
  }
  template <class Function>
  static Vector gradient(const Function& f, const Vector& x) {
    return complex_step_jacobian<1>([&](const auto& z) { return Eigen::Vector<Complex, 1>(f(z)); }, x).transpose();
  }
  Eigen::VectorXcd complex_constraints(const Eigen::VectorXcd& q) const {
    Eigen::VectorXcd g(D_);
    values_.constraints(q.data(), g.data());
    return g;
  }
  Vector constraints(const Vector& q) const { return complex_constraints(q.cast<Complex>()).real(); }
  Matrix jacobian(const Vector& q) const {
    return complex_step_jacobian<Eigen::Dynamic>([&](const auto& z) { return complex_constraints(z); }, q);
  }
  static double size(const Vector& v) { return v.lpNorm<Eigen::Infinity>(); }

  static constexpr double tiny = std::numeric_limits<double>::min();  ///< a system at rest has only zeros: 0 / tiny = 0

  HamiltonianValues values_;
  int N_, D_;
  Vector state_;  ///< q, p
};

}  // namespace polhode
