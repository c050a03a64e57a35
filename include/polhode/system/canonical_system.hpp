// Canonical Hamiltonian systems, without constraints:
//
//   q' = H_p(q, p),   p' = -H_q(q, p)
//
// The Physics (phase_space.hpp) has D = 0, and its Equations<T> have hamiltonian(q, p) as in
// hamiltonian_derivatives.hpp. CanonicalSystem<Physics> is the system.
#pragma once

#include "polhode/system/dual_equations.hpp"
#include "polhode/system/hamiltonian_derivatives.hpp"
#include "polhode/system/phase_space.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Physics, class T>
class CanonicalCalculus : public HamiltonianDerivatives<DualEquations<Physics, T>, T> {
  using Base = HamiltonianDerivatives<DualEquations<Physics, T>, T>;

 public:
  using Base::Base;
  using typename Base::Position;

  POLHODE_HD Position force(const Position& q, const Position& p) const {
    return T(Real<T>(-1)) * this->position_gradient(q, p);
  }
};

template <class Physics>
using CanonicalSystem = PhaseSpace<Physics, CanonicalCalculus>;

}  // namespace polhode::inline POLHODE_ISA
