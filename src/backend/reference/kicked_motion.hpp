// One trajectory of a constrained mechanical system, advanced by constrained_step.hpp.
//
// With momenta in the tangent space (TN) it is the motion on the hidden constraint, mapped by psi (McLachlan & Scovel
// 1995, Theorem 1). The point that is advanced is retained from step to step; only set_state() resets it.
#pragma once

#include "backend/reference/constrained_step.hpp"
#include "backend/reference/motion.hpp"
#include "polhode/system/description.hpp"

namespace polhode {

class KickedMotion final : public CloneableMotion<KickedMotion> {
 public:
  KickedMotion(const ConstrainedProblem<double>& problem, Momentum momentum)
      : N_(problem.inverse_mass.rows()), step_(problem, momentum == Momentum::unprojected), momentum_(momentum) {}

  void set_state(const double* x) override {
    state_ = Eigen::Map<const Eigen::VectorXd>(x, 2 * N_);
    point_ = {state_.head(N_), state_.tail(N_)};
    if (momentum_ == Momentum::tangent) point_.p = step_.to_hidden_constraint(point_);
  }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions kicks) override {
    const Status status = step_(h, kicks, point_);
    if (status == Status::ok) state_ << point_.q, momentum_ == Momentum::tangent ? step_.to_tangent(point_) : point_.p;
    return status;
  }

 private:
  Eigen::Index N_;
  ConstrainedStep<double> step_;
  Momentum momentum_;
  PhasePoint<double> point_;
  Eigen::VectorXd state_;  ///< q, p
};

}  // namespace polhode
