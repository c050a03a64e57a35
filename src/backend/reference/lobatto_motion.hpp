// One trajectory of a constrained Hamiltonian system by a Lobatto pair with s stages (Hairer 2003, eqs. (2.6)-(2.9)):
//
//   0 = P_i - p + h sum_j a_hat_ij (H_q(Q_j, P_j) + G(Q_j)^T Lambda_j),   i = 1, ..., s,   j = 1, ..., s - 1
//   0 = Q_i - q - h sum_j a_ij H_p(Q_j, P_j),   0 = g(Q_i),               i = 2, ..., s,   Q_1 = q
//   0 = p1 - p + h sum_j b_j (H_q(Q_j, P_j) + G(Q_j)^T Lambda_j),         0 = G(q1) H_p(q1, p1),   q1 = Q_s
//
// The first two lines are stacked and solved by Newton's method, and then the last one.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "backend/reference/collocation_tables.hpp"
#include "backend/reference/hamiltonian_equations.hpp"
#include "backend/reference/motion.hpp"

namespace polhode {

class LobattoMotion final : public CloneableMotion<LobattoMotion> {
 public:
  LobattoMotion(HamiltonianValues values, const ReferenceMethod& method)
      : system_(std::move(values)),
        N_(system_.N),
        D_(system_.D),
        s_(method.integer("stages")),
        table_(collocation_table(method)) {}

  void set_state(const double* x) override { state_ = Eigen::Map<const Vector>(x, 2 * N_); }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions) override {
    const Vector q = state_.head(N_), p = state_.tail(N_);
    const Vector velocity = system_.velocity(q, p);
    const Vector q_free = q + h * velocity;
    if (!std::isfinite(q_free.squaredNorm())) return system_.failure_of_free_step(system_.jacobian(q));

    Vector y(s_ * N_ + (s_ - 1) * (N_ + D_));  // P, Q but the first, Lambda but the last
    y.setZero();
    for (int i = 0; i < s_; ++i) y.segment(i * N_, N_) = p;
    for (int i = 1; i < s_; ++i) y.segment((s_ + i - 1) * N_, N_) = q + h * table_.a.row(i).sum() * velocity;
    if (!system_.solve([&](const Vector& at) { return stages_at(at, h, q, p); }, y))
      return system_.failure(system_.jacobian(q));

    const Stages stages = stages_of(y, q);
    const Vector& q1 = stages.Q.back();
    Vector p1 = p - h * table_.b[s_ - 1] * system_.position_gradient(q1, stages.P.back());
    for (int j = 0; j < s_ - 1; ++j) p1 -= h * table_.b[j] * stages.forces[j];
    if (!p1.allFinite()) return Status::not_finite;
    const Status status = system_.project(h, q1, p1);
    if (status == Status::ok) state_ << q1, p1;
    return status;
  }

 private:
  using Vector = HamiltonianEquations::Vector;

  struct Stages {
    std::vector<Vector> Q, P, forces;  ///< forces H_q + G^T Lambda, of all stages but the last
  };
  Stages stages_of(const Vector& y, const Vector& q) const {
    Stages stages;
    for (int i = 0; i < s_; ++i) {
      stages.P.push_back(y.segment(i * N_, N_));
      stages.Q.push_back(i == 0 ? q : y.segment((s_ + i - 1) * N_, N_));
    }
    for (int j = 0; j < s_ - 1; ++j) {
      const Vector multipliers = y.segment((2 * s_ - 1) * N_ + j * D_, D_);
      stages.forces.push_back(system_.position_gradient(stages.Q[j], stages.P[j]) +
                              system_.jacobian(stages.Q[j]).transpose() * multipliers);
    }
    return stages;
  }

  HamiltonianEquations::Residual stages_at(const Vector& y, double h, const Vector& q, const Vector& p) const {
    const Stages stages = stages_of(y, q);
    std::vector<Vector> velocities;
    for (int j = 0; j < s_; ++j) velocities.push_back(system_.velocity(stages.Q[j], stages.P[j]));
    Vector value(y.size());
    double relative = 0;
    for (int i = 0; i < s_; ++i) {
      Vector residual = stages.P[i] - p;
      double terms = system_.size(stages.P[i]) + system_.size(p);
      for (int j = 0; j < s_ - 1; ++j) {
        const Vector term = h * table_.a_hat(i, j) * stages.forces[j];
        residual += term;
        terms += system_.size(term);
      }
      value.segment(i * N_, N_) = residual;
      relative = std::max(relative, system_.relative(residual, terms));
    }
    for (int i = 1; i < s_; ++i) {
      Vector residual = stages.Q[i] - q;
      double terms = system_.size(stages.Q[i]) + system_.size(q);
      for (int j = 0; j < s_; ++j) {
        const Vector term = h * table_.a(i, j) * velocities[j];
        residual -= term;
        terms += system_.size(term);
      }
      value.segment((s_ + i - 1) * N_, N_) = residual;
      value.segment((2 * s_ - 1) * N_ + (i - 1) * D_, D_) = system_.constraints(stages.Q[i]);
      relative = std::max({relative, system_.relative(residual, terms), system_.relative_constraints(stages.Q[i])});
    }
    return {value, relative};
  }

  HamiltonianEquations system_;
  int N_, D_, s_;
  CollocationTable table_;
  Vector state_;  ///< q, p
};

}  // namespace polhode
