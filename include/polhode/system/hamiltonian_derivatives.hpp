// Derivatives of a Hamiltonian that is any function of positions and momenta, taken with dual numbers unless the system
// has them.
//
// Base is a DualEquations, or a Constraints, whose Equations<T> have
//
//   hamiltonian(q, p)   H, with H_pp positive definite (on the constraints suffices, unless velocities are given)
//   velocity(q, p), position_gradient(q, p), inverse_mass(q, p, v)   H_p, H_q and H_pp v (optional: all or none)
#pragma once

#include "polhode/math/lu.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Base, class T>
class HamiltonianDerivatives : public Base {
 public:
  using Base::Base, Base::N;
  using typename Base::Position;

  /// H_p.
  POLHODE_OUTLINED Position velocity(const Position& q, const Position& p) const {
    if constexpr (has_derivatives)
      return Base::velocity(q, p);
    else
      return gradient(this->constants(q), this->variables(p));
  }
  /// H_q.
  POLHODE_OUTLINED Position position_gradient(const Position& q, const Position& p) const {
    if constexpr (has_derivatives)
      return Base::position_gradient(q, p);
    else
      return gradient(this->variables(q), this->constants(p));
  }
  /// H_pp v.
  POLHODE_OUTLINED Position inverse_mass(const Position& q, const Position& p, const Position& v) const {
    if constexpr (has_derivatives)
      return Base::inverse_mass(q, p, v);
    else
      return derivative_of_gradient(q, p, v);
  }

  POLHODE_HD const Position& lifted(const Position&, const Position& p) const { return p; }
  /// Momentum of a velocity, by Newton's method; NaN if there is none.
  POLHODE_HD Position momentum_of(const Position& q, const Position& v) const {
    Position p = T(Real<T>(0)) * v;
    for (int k = 0; k < newton_steps; ++k) {
      Mat<T, N, N> matrix;
      for (int j = 0; j < N; ++j) {
        const Position column = inverse_mass(q, p, this->unit(j));
        for (int i = 0; i < N; ++i) matrix[i][j] = column[i];
      }
      p = p + LU<T, N>(matrix).solve(v - velocity(q, p));
    }
    return p;
  }

  POLHODE_HD T hamiltonian_size(const Position& q, const Position& p) const {
    const Position v = velocity(q, p);
    T sum = abs(this->hamiltonian(q, p));
    unroll<N>([&](int i) POLHODE_LAMBDA { sum = fma(abs(p[i]), abs(v[i]), sum); });
    return sum;
  }

 private:
  static constexpr int newton_steps = 20;
  static constexpr bool has_derivatives = requires(const Base& base, const Position& q) {
    base.velocity(q, q), base.position_gradient(q, q), base.inverse_mass(q, q, q);
  };

  /// Gradient in p, differentiated along v.
  POLHODE_HD Position derivative_of_gradient(const Position& q, const Position& p, const Position& v) const {
    using Along = Dual<T, 1>;
    using Variable = Dual<Along, N>;
    Vec<Variable, N> position, momentum;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      position[i] = Variable(Along(q[i]));
      Along moving(p[i]);
      moving.tangent[0] = v[i];
      momentum[i] = Variable::variable(moving, i);
    });
    const auto value = this->template equations<Variable>().hamiltonian(position, momentum);
    Position product;
    unroll<N>([&](int i) POLHODE_LAMBDA { product[i] = value.tangent[i].tangent[0]; });
    return product;
  }
  POLHODE_HD Position gradient(const Vec<Dual<T, N>, N>& q, const Vec<Dual<T, N>, N>& p) const {
    const auto value = this->template equations<Dual<T, N>>().hamiltonian(q, p);
    Position derivative;
    unroll<N>([&](int i) POLHODE_LAMBDA { derivative[i] = value.tangent[i]; });
    return derivative;
  }
};

}  // namespace polhode::inline POLHODE_ISA
