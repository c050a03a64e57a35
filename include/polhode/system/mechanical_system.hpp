// Canonical mechanical systems, without constraints:
//
//   H(q, p) = 1/2 p^T W p + V(q),   q' = W p,   p' = -V_q(q),   W = M^-1 constant
//
// The Physics (phase_space.hpp) has D = 0, and its Equations<T> have the functions listed in
// mechanical_derivatives.hpp. MechanicalSystem<Physics> is the system.
#pragma once

#include "polhode/system/dual_equations.hpp"
#include "polhode/system/mechanical_derivatives.hpp"
#include "polhode/system/phase_space.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Physics, class T>
class UnconstrainedCalculus : public MechanicalDerivatives<Physics, DualEquations<Physics, T>, T> {
  using Base = MechanicalDerivatives<Physics, DualEquations<Physics, T>, T>;

 public:
  using Base::Base;
  using typename Base::Position;

  POLHODE_HD const Position& lifted(const Position&, const Position& p) const { return p; }
  /// V_q at a position in another scalar type: a dual number.
  template <class S>
  POLHODE_HD Vec<S, Base::N> gradient_at(const Vec<S, Base::N>& q) const {
    return UnconstrainedCalculus<Physics, S>(this->parameters()).potential_gradient(q);
  }
  POLHODE_HD Position force(const Position& q, const Position& p) const {
    return this->kick(q, T(Real<T>(-1)), T(Real<T>(0)) * p);
  }
};

template <class Physics>
using MechanicalSystem = PhaseSpace<Physics, UnconstrainedCalculus>;

}  // namespace polhode::inline POLHODE_ISA
