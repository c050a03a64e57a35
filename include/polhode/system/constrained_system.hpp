// Constrained mechanical systems:
//
//   H(q, p) = 1/2 p^T W p + V(q),   0 = g(q),   G = Dg (D x N),   W = M^-1 constant
//   q' = W p,   p' = -V_q(q) - G(q)^T lambda,   0 = G(q) W p  (hidden constraint)
//
// The Equations<T> of the Physics (phase_space.hpp) have the functions listed in mechanical_derivatives.hpp. They may
// have those below as well, and the optional ones of mechanical_derivatives.hpp and constraints.hpp; derivatives that
// they lack are taken with dual numbers:
//
//   schur(r, q)        G(r) W G(q)^T          curvature(q, v)  D^2 g(v, v)
//   displace(q, s, r)  r + W G(q)^T s
//
// ConstrainedSystem<Physics> is the system. Its momenta may be those of CM, of TN or neither; on CM the lift is the
// identity (McLachlan & Scovel 1995, Theorem 1: the Hamiltonian on TN is that on CM composed with psi^-1).
#pragma once

#include "polhode/system/constraints.hpp"
#include "polhode/system/mechanical_derivatives.hpp"
#include "polhode/system/phase_space.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Physics, class T>
class MechanicalCalculus : public MechanicalDerivatives<Physics, Constraints<Physics, T>, T> {
  using Equations = typename Physics::template Equations<T>;
  using Base = MechanicalDerivatives<Physics, Constraints<Physics, T>, T>;

 public:
  using Base::Base, Base::N, Base::D;
  using typename Base::Multipliers;
  using typename Base::Position;

  static constexpr bool has_schur = requires(const Equations& e, Position q) { e.schur(q, q); };
  static constexpr bool has_curvature = requires(const Equations& e, Position q) { e.curvature(q, q); };

  /// G(r) W G(q)^T.
  POLHODE_HD Mat<T, D, D> schur(const Position& r, const Position& q) const {
    if constexpr (has_schur) {
      return outlined_if<Base::is_large>([this](const Position& r, const Position& q)
                                             POLHODE_LAMBDA { return Equations::schur(r, q); })(r, q);
    } else {
      return this->product(r, q, [&](const Position& v) POLHODE_LAMBDA { return Equations::velocity(v); });
    }
  }

  /// r + W G(q)^T s.
  POLHODE_HD Position displace(const Position& q, const Multipliers& s, const Position& r) const {
    if constexpr (requires(const Equations& e) { e.displace(q, s, r); }) {
      return outlined_if<Base::is_large>([this](const Position& q, const Multipliers& s, const Position& r)
                                             POLHODE_LAMBDA { return Equations::displace(q, s, r); })(q, s, r);
    } else {
      return r + this->velocity(this->pull(q, s));
    }
  }

  /// D^2 g(v, v): the second derivative of g along q + t v.
  POLHODE_HD Multipliers curvature(const Position& q, const Position& v) const {
    if constexpr (has_curvature) {
      return Equations::curvature(q, v);
    } else {
      // Differentiates twice along v: both the inner and the outer dual are t.
      using Once = Dual<T, 1>;
      using Twice = Dual<Once, 1>;
      Vec<Twice, N> along;
      unroll<N>([&](int i) POLHODE_LAMBDA {
        Once inner(q[i]);
        inner.tangent[0] = v[i];
        along[i] = Twice(inner);
        along[i].tangent[0] = Once(v[i]);
      });
      const auto values = this->template equations<Twice>().constraints(along);
      Multipliers second;
      unroll<D>([&](int i) POLHODE_LAMBDA { second[i] = values[i].tangent[0].tangent[0]; });
      return second;
    }
  }

  /// Momentum on the hidden constraint (CM) that differs from p by constraint forces, p - G^T (G W G^T)^-1 G W p.
  POLHODE_HD Position to_hidden_constraint(const Position& q, const Position& p) const {
    return to_hidden_constraint(q, p, LU<T, D>(schur(q, q)));
  }
  /// Momentum on the hidden constraint, for a factorised G W G^T.
  POLHODE_HD Position to_hidden_constraint(const Position& q, const Position& p, const LU<T, D>& matrix) const {
    return this->pull(q, -matrix.solve(this->push(q, this->velocity(p))), p);
  }
  /// psi(q, p) = p - G^T (G G^T)^-1 G p, the orthogonal projection (TN).
  POLHODE_HD Position to_tangent(const Position& q, const Position& p) const {
    return to_tangent(q, p, LU<T, D>(this->gram(q)));
  }
  /// psi(q, p) for a factorised G G^T.
  POLHODE_HD Position to_tangent(const Position& q, const Position& p, const LU<T, D>& matrix) const {
    return this->pull(q, -matrix.solve(this->push(q, p)), p);
  }
  POLHODE_HD Position lifted(const Position& q, const Position& p) const { return to_hidden_constraint(q, p); }
  /// p' with the multipliers substituted: -V_q - G^T lambda, G W G^T lambda = D^2 g(W p, W p) - G W V_q.
  POLHODE_HD Position force(const Position& q, const Position& p) const {
    const Position v = this->velocity(p), gradient = this->potential_gradient(q);
    const Multipliers load = curvature(q, v) - this->push(q, this->velocity(gradient));
    const Multipliers multipliers = LU<T, D>(schur(q, q)).solve(load);
    return T(Real<T>(-1)) * (gradient + this->pull(q, multipliers));
  }
  /// Displacement of q, near the constraints, from them: along W G(from)^T, to first order.
  POLHODE_HD Position displacement(const Position& from, const Position& q) const {
    return this->velocity(this->pull(from, LU<T, D>(schur(q, from)).solve(this->constraints(q))));
  }
  /// Lanes in which the constraint Jacobian is rank-deficient at q: G W G^T is singular.
  POLHODE_HD Mask<T> is_singular(const Position& q) const {
    const Mat<T, D, D> a = schur(q, q);
    return LU<T, D>(a).is_singular(a);
  }
};

template <class Physics>
using ConstrainedSystem = PhaseSpace<Physics, MechanicalCalculus>;

}  // namespace polhode::inline POLHODE_ISA
