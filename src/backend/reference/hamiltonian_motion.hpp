// One trajectory of a constrained Hamiltonian system whose H is any function:
//
//   0 = p' - p + a h H_q(q, p') + h G(q)^T lambda,   0 = q1 - q - h (a H_p(q, p') + b H_p(q1, p')),   0 = g(q1)
//   0 = p1 - p' + b h H_q(q1, p') + h G(q1)^T mu,    0 = G(q1) H_p(q1, p1)
//
// (McLachlan & Scovel 1995, eqs. (2), (3), (10); Hairer 2003, eqs. (2.6)-(2.9) with the two-stage Lobatto pair), each
// line stacked and solved by Newton's method.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "backend/reference/hamiltonian_equations.hpp"
#include "backend/reference/motion.hpp"

namespace polhode {

class HamiltonianMotion final : public CloneableMotion<HamiltonianMotion> {
 public:
  explicit HamiltonianMotion(HamiltonianValues values) : system_(std::move(values)), N_(system_.N), D_(system_.D) {}

  void set_state(const double* x) override { state_ = Eigen::Map<const Vector>(x, 2 * N_); }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions kicks) override {
    const auto [a, b] = kicks;
    const Vector q = state_.head(N_), p = state_.tail(N_);
    const Matrix G = system_.jacobian(q);
    Vector p_free = p;
    if (a != 0) p_free -= a * h * system_.position_gradient(q, p);
    const Vector q_free = q + h * system_.velocity(q, p_free);
    if (!std::isfinite(q_free.squaredNorm())) return system_.failure_of_free_step(G);

    Vector position(2 * N_ + D_);  // p', q1, lambda
    position << p_free, q_free, Vector::Zero(D_);
    const auto position_equations = [&](const Vector& y) { return position_at(y, h, kicks, q, p, G); };
    if (!system_.solve(position_equations, position)) return system_.failure(G);
    const Vector moving = position.head(N_), q1 = position.segment(N_, N_);

    Vector p1 = moving - b * h * system_.position_gradient(q1, moving);
    if (!p1.allFinite()) return Status::not_finite;
    const Status status = system_.project(h, q1, p1);
    if (status == Status::ok) state_ << q1, p1;
    return status;
  }

 private:
  using Vector = HamiltonianEquations::Vector;
  using Matrix = HamiltonianEquations::Matrix;

  /// Position equations, the first line of the head comment, at y = (p', q1, lambda).
  HamiltonianEquations::Residual position_at(const Vector& y, double h, KickFractions kicks, const Vector& q,
                                             const Vector& p, const Matrix& G) const {
    const auto [a, b] = kicks;
    const Vector moving = y.head(N_), q1 = y.segment(N_, N_);
    const Vector kick = a * h * system_.position_gradient(q, moving), force = h * (G.transpose() * y.tail(D_));
    const Vector move = h * (a * system_.velocity(q, moving) + b * system_.velocity(q1, moving));
    const Vector first = moving - p + kick + force, second = q1 - q - move;
    Vector value(2 * N_ + D_);
    value << first, second, system_.constraints(q1);
    return {
        value,
        std::max(
            {system_.relative(first, system_.size(p) + system_.size(moving) + system_.size(kick) + system_.size(force)),
             system_.relative(second, system_.size(q) + system_.size(move)), system_.relative_constraints(q1)})};
  }

  HamiltonianEquations system_;
  int N_, D_;
  Vector state_;  ///< q, p
};

}  // namespace polhode
