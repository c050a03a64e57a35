// One heavy top, advanced by RATTLE on its matrices (Q, P) and seen through its reduced state (Pi, Gamma).
//
// (Q, P) is kept from step to step. Only set_state() chooses a new rotation about the vertical, on which the reduced
// state does not depend except in its last bits.
#pragma once

#include <array>

#include "backend/reference/constrained_rattle.hpp"
#include "backend/reference/heavy_top_embedding.hpp"

namespace polhode {

template <class Real>
class ReferenceHeavyTop {
 public:
  using State = std::array<Real, HeavyTop::dim>;  ///< pi1 pi2 pi3 gamma1 gamma2 gamma3

  /// parameters[7]: I1 I2 I3, chi1 chi2 chi3, c; h: step. Throws std::invalid_argument where an alpha_i is 0.
  /// set_state() must follow.
  ReferenceHeavyTop(const double* parameters, Real h) : rattle_(HeavyTopMatrices<Real>(parameters)), h_(h) {}

  void set_state(const State& reduced) {
    HeavyTopMatrices<Real> problem = rattle_.problem();
    point_ = embed(reduced, problem);
    rattle_ = Rattle(problem);
  }
  State state() const { return reduce(point_, rattle_.problem()); }

  /// One step; false, and nothing changed, if it fails.
  bool step() { return advance(h_) == Status::ok; }
  /// One step of another length, negative for backwards. Nothing is changed unless the result is Status::ok.
  Status advance(Real h) { return rattle_.step(h, point_); }

  Real h() const { return h_; }
  Real energy() const { return rattle_.energy(point_); }
  /// Largest entries of g(Q) = (Q^T Q - 1)/2 and of its rate of change, sym(Q^T P D^-1).
  Real constraint_residual() const { return rattle_.constraint(point_).cwiseAbs().maxCoeff(); }
  Real hidden_constraint_residual() const { return rattle_.hidden_constraint(point_).cwiseAbs().maxCoeff(); }

 private:
  using Rattle = ConstrainedRattle<Real, HeavyTopMatrices<Real>>;

  Rattle rattle_;
  Real h_;
  PhasePoint<Real, 9> point_;
};

}  // namespace polhode
