// The energy of a mechanical system with a constant mass, and its derivatives:
//
//   H(q, p) = 1/2 p^T W p + V(q),   W = M^-1
//
// Base is a DualEquations or a Constraints. The Equations<T> of the Physics have
//
//   velocity(p)            W p
//   potential(q)           V
//
// and, unless these are to be taken with dual numbers or composed of others,
//
//   potential_gradient(q)  V_q
//   kick(q, s, p)          p + s V_q
#pragma once

#include "polhode/math/lu.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Physics, class Base, class T>
class MechanicalDerivatives : public Base {
  using Equations = typename Physics::template Equations<T>;

 public:
  using Base::Base, Base::N;
  using typename Base::Position;

  static constexpr bool has_gradient = requires(const Equations& e, Position q) { e.potential_gradient(q); };

  /// V_q.
  POLHODE_HD Position potential_gradient(const Position& q) const {
    if constexpr (has_gradient) {
      return Equations::potential_gradient(q);
    } else {
      const auto value = this->template equations<Dual<T, N>>().potential(this->variables(q));
      Position gradient;
      unroll<N>([&](int i) POLHODE_LAMBDA { gradient[i] = value.tangent[i]; });
      return gradient;
    }
  }

  /// p + s V_q.
  POLHODE_HD Position kick(const Position& q, const T& s, const Position& p) const {
    if constexpr (requires(const Equations& e) { e.kick(q, s, p); }) {
      return Equations::kick(q, s, p);
    } else {
      return fma(s, potential_gradient(q), p);
    }
  }

  /// M v.
  POLHODE_HD Position momentum_of(const Position& /*q*/, const Position& v) const {
    Mat<T, N, N> inverse_mass;
    for (int j = 0; j < N; ++j) {
      const Position column = this->velocity(this->unit(j));
      for (int i = 0; i < N; ++i) inverse_mass[i][j] = column[i];
    }
    return LU<T, N>(inverse_mass).solve(v);
  }

  POLHODE_HD T hamiltonian(const Position& q, const Position& p) const { return kinetic(p) + this->potential(q); }
  POLHODE_HD T hamiltonian_size(const Position& q, const Position& p) const {
    return kinetic(p) + abs(this->potential(q));
  }

 private:
  POLHODE_HD T kinetic(const Position& p) const { return T(Real<T>(0.5)) * dot(p, this->velocity(p)); }
};

}  // namespace polhode::inline POLHODE_ISA
