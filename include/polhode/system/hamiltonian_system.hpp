// Constrained Hamiltonian systems whose Hamiltonian is any function of positions and momenta, such as one with a mass
// that depends on the position or with magnetic forces (McLachlan & Scovel 1995, sect. 2):
//
//   q' = H_p(q, p),   p' = -H_q(q, p) - G(q)^T lambda,   0 = g(q),   0 = G(q) H_p(q, p)
//
// Equations<T> of the Physics (phase_space.hpp) has
//
//   hamiltonian(q, p)   H, with H_pp positive definite (on the constraints is enough unless velocities are given)
//
// and all its derivatives are taken with dual numbers. HamiltonianSystem<Physics> is the system. Its states are on the
// hidden constraint.
#pragma once

#include "polhode/system/phase_space.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Physics, class T>
class HamiltonianCalculus : public Constraints<Physics, T> {
  using Base = Constraints<Physics, T>;

 public:
  using Base::Base, Base::N, Base::D;
  using typename Base::Multipliers;
  using typename Base::Position;

  /// H_p.
  POLHODE_OUTLINED Position velocity(const Position& q, const Position& p) const {
    return gradient(constants(q), this->variables(p));
  }
  /// H_q.
  POLHODE_OUTLINED Position position_gradient(const Position& q, const Position& p) const {
    return gradient(this->variables(q), constants(p));
  }
  /// H_pp v.
  POLHODE_OUTLINED Position inverse_mass(const Position& q, const Position& p, const Position& v) const {
    // The gradient in p, of numbers that move along v.
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
  /// G(r) H_pp(at, p) G(q)^T.
  POLHODE_HD Mat<T, D, D> schur(const Position& r, const Position& q, const Position& at, const Position& p) const {
    return this->product(r, q, [&](const Position& v) POLHODE_LAMBDA { return inverse_mass(at, p, v); });
  }

  /// A step of Newton's iteration for the momentum on the hidden constraint that differs from p by constraint forces;
  /// that momentum itself where H is quadratic in it.
  POLHODE_HD Position to_hidden_constraint(const Position& q, const Position& p) const {
    return this->pull(q, -LU<T, D>(schur(q, q, q, p)).solve(this->push(q, velocity(q, p))), p);
  }
  POLHODE_HD const Position& lifted(const Position&, const Position& p) const { return p; }
  /// From a q near the constraints to them, along G(from)^T to first order.
  POLHODE_HD Position displacement(const Position& from, const Position& q) const {
    const auto same = [](const Position& v) POLHODE_LAMBDA -> const Position& { return v; };
    return this->pull(from, LU<T, D>(this->product(q, from, same)).solve(this->constraints(q)));
  }
  /// The momentum that belongs to a velocity, by Newton's iteration: not a number where there is none.
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
  /// Lanes in which the constraints are not independent at q: G G^T has no inverse.
  POLHODE_HD Mask<T> is_singular(const Position& q) const {
    const Mat<T, D, D> a = this->gram(q);
    return LU<T, D>(a).is_singular(a);
  }

  POLHODE_HD T hamiltonian_size(const Position& q, const Position& p) const {
    const Position v = velocity(q, p);
    T sum = abs(this->hamiltonian(q, p));
    unroll<N>([&](int i) POLHODE_LAMBDA { sum = fma(abs(p[i]), abs(v[i]), sum); });
    return sum;
  }

 private:
  static constexpr int newton_steps = 20;

  POLHODE_HD static Vec<Dual<T, N>, N> constants(const Position& q) {
    Vec<Dual<T, N>, N> x;
    unroll<N>([&](int i) POLHODE_LAMBDA { x[i] = Dual<T, N>(q[i]); });
    return x;
  }
  POLHODE_HD Position gradient(const Vec<Dual<T, N>, N>& q, const Vec<Dual<T, N>, N>& p) const {
    const auto value = this->template equations<Dual<T, N>>().hamiltonian(q, p);
    Position derivative;
    unroll<N>([&](int i) POLHODE_LAMBDA { derivative[i] = value.tangent[i]; });
    return derivative;
  }
};

template <class Physics>
using HamiltonianSystem = PhaseSpace<Physics, HamiltonianCalculus>;

}  // namespace polhode::inline POLHODE_ISA
