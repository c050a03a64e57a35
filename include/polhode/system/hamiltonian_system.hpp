// Constrained Hamiltonian systems whose Hamiltonian is any function of positions and momenta, such as one with a mass
// that depends on the position or with magnetic forces (McLachlan & Scovel 1995, sect. 2):
//
//   q' = H_p(q, p),   p' = -H_q(q, p) - G(q)^T lambda,   0 = g(q),   0 = G(q) H_p(q, p)
//
// The Equations<T> of the Physics (phase_space.hpp) have hamiltonian(q, p) as in hamiltonian_derivatives.hpp.
// HamiltonianSystem<Physics> is the system. Its states are on the hidden constraint.
#pragma once

#include "polhode/system/constraints.hpp"
#include "polhode/system/hamiltonian_derivatives.hpp"
#include "polhode/system/phase_space.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Physics, class T>
class HamiltonianCalculus : public HamiltonianDerivatives<Constraints<Physics, T>, T> {
  using Base = HamiltonianDerivatives<Constraints<Physics, T>, T>;

 public:
  using Base::Base, Base::N, Base::D;
  using typename Base::Position;

  /// G(r) H_pp(at, p) G(q)^T.
  POLHODE_HD Mat<T, D, D> schur(const Position& r, const Position& q, const Position& at, const Position& p) const {
    return this->product(r, q, [&](const Position& v) POLHODE_LAMBDA { return this->inverse_mass(at, p, v); });
  }

  /// One step of Newton's method for the momentum on the hidden constraint that differs from p by constraint forces;
  /// exact where H is quadratic in the momentum.
  POLHODE_HD Position to_hidden_constraint(const Position& q, const Position& p) const {
    return this->pull(q, -LU<T, D>(schur(q, q, q, p)).solve(this->push(q, this->velocity(q, p))), p);
  }
  /// Displacement of q, near the constraints, from them: along G(from)^T, to first order.
  POLHODE_HD Position displacement(const Position& from, const Position& q) const {
    const auto same = [](const Position& v) POLHODE_LAMBDA -> const Position& { return v; };
    return this->pull(from, LU<T, D>(this->product(q, from, same)).solve(this->constraints(q)));
  }
  /// Lanes in which the constraint Jacobian is rank-deficient at q: G G^T is singular.
  POLHODE_HD Mask<T> is_singular(const Position& q) const {
    const Mat<T, D, D> a = this->gram(q);
    return LU<T, D>(a).is_singular(a);
  }
};

template <class Physics>
using HamiltonianSystem = PhaseSpace<Physics, HamiltonianCalculus>;

}  // namespace polhode::inline POLHODE_ISA
