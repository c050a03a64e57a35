// Constrained mechanical systems: what is written of one, and what follows from it.
//
//   H(q, p) = 1/2 p^T W p + V(q),   0 = g(q),   G = Dg (D x N),   W = M^-1 constant
//   q' = W p,   p' = -V_q(q) - G(q)^T lambda,   0 = G(q) W p  (hidden constraint)
//
// A Physics has name, meaning, N, D, parameters (system/description.hpp) and
//
//   columns                      std::array<Quantity, 2 N>, positions and momenta
//   derived[], conserved[]       further observables; integrals besides the energy (both optional)
//   example_parameters[]         in the order of parameters; example_step, one that resolves their motion; and
//   example_state(p, x)          a state [2 N] of the size that the parameters p suggest, not quite on the constraints
//                                perhaps; from it the sweeps of a step are counted, and tests start near it. Host only
//   Equations<T>(p)              in a scalar type T, with
//     velocity(p)                  W p
//     potential(q)                 V
//     constraints(q)               g
//     derived(i, q, p), conserved(i, q, p)   where there are such tables; magnitude(i, q, p), the size of the terms of
//                                  derived(i), which is otherwise taken as that of the state
//
// The derivatives below are taken with dual numbers unless Equations has them too:
//
//   potential_gradient(q)  V_q            push(q, v)  G v,   pull(q, s)  G^T s   (both or neither)
//   schur(r, q)            G(r) W G(q)^T  curvature(q, v)  D^2 g(v, v)
//   gram(q)                G G^T
//
// ConstrainedSystem<Physics> is the system. Its momenta may be those of CM, TN or neither (Momentum in
// description.hpp): energy and everything derived is that of the lift onto the hidden constraint, which on CM changes
// nothing (McLachlan & Scovel 1995, Theorem 1: the Hamiltonian on TN is that of CM seen through psi^-1).
#pragma once

#include <array>

#include "polhode/math/lu.hpp"
#include "polhode/scalar/dual.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

/// The functions of an Equations<T> and their derivatives.
template <class Physics, class T>
class Calculus : public Physics::template Equations<T> {
  using Equations = typename Physics::template Equations<T>;

 public:
  static constexpr int N = Physics::N, D = Physics::D;
  using Position = Vec<T, N>;
  using Multipliers = Vec<T, D>;

  static constexpr bool has_gradient = requires(const Equations& e, Position q) { e.potential_gradient(q); };
  static constexpr bool has_jacobian = requires(const Equations& e, Position q) { e.push(q, q); };
  static constexpr bool has_schur = requires(const Equations& e, Position q) { e.schur(q, q); };
  static constexpr bool has_gram = requires(const Equations& e, Position q) { e.gram(q); };
  static constexpr bool has_curvature = requires(const Equations& e, Position q) { e.curvature(q, q); };

  POLHODE_HD explicit Calculus(const double* p) : Equations(p), parameters_(p) {}

  /// V_q.
  POLHODE_HD Position potential_gradient(const Position& q) const {
    if constexpr (has_gradient) {
      return Equations::potential_gradient(q);
    } else {
      const auto value = dual<N>().potential(variables(q));
      Position gradient;
      unroll<N>([&](int i) POLHODE_LAMBDA { gradient[i] = value.tangent[i]; });
      return gradient;
    }
  }

  /// G.
  POLHODE_HD Mat<T, D, N> jacobian(const Position& q) const {
    Mat<T, D, N> rows;
    if constexpr (has_jacobian) {
      repeat<D>([&](int i) POLHODE_LAMBDA { rows[i] = Equations::pull(q, unit(i)); });
    } else {
      const auto values = dual<N>().constraints(variables(q));
      repeat<D>([&](int i)
                    POLHODE_LAMBDA { unroll<N>([&](int k) POLHODE_LAMBDA { rows[i][k] = values[i].tangent[k]; }); });
    }
    return rows;
  }

  /// G v.
  POLHODE_HD Multipliers push(const Position& q, const Position& v) const {
    if constexpr (has_jacobian) {
      return Equations::push(q, v);
    } else {
      return times(jacobian(q), v);
    }
  }

  /// G^T s.
  POLHODE_HD Position pull(const Position& q, const Multipliers& s) const {
    if constexpr (has_jacobian) {
      return Equations::pull(q, s);
    } else {
      const Mat<T, D, N> rows = jacobian(q);
      Position sum = s[0] * rows[0];
      repeat<D>([&](int i) POLHODE_LAMBDA {
        if (i > 0) sum = fma(s[i], rows[i], sum);
      });
      return sum;
    }
  }

  /// G(r) W G(q)^T.
  POLHODE_HD Mat<T, D, D> schur(const Position& r, const Position& q) const {
    if constexpr (has_schur) {
      return Equations::schur(r, q);
    } else {
      const Mat<T, D, N> rows = jacobian(q);
      if constexpr (has_jacobian) {
        return transposed([&](int j) POLHODE_LAMBDA { return Equations::push(r, Equations::velocity(rows[j])); });
      } else {
        const Mat<T, D, N> rows_r = jacobian(r);
        return transposed([&](int j) POLHODE_LAMBDA { return times(rows_r, Equations::velocity(rows[j])); });
      }
    }
  }

  /// G G^T.
  POLHODE_HD Mat<T, D, D> gram(const Position& q) const {
    if constexpr (has_gram) {
      return Equations::gram(q);
    } else {
      const Mat<T, D, N> rows = jacobian(q);
      return transposed([&](int j) POLHODE_LAMBDA { return times(rows, rows[j]); });
    }
  }

  /// D^2 g(v, v): the second derivative of g along q + t v.
  POLHODE_HD Multipliers curvature(const Position& q, const Position& v) const {
    if constexpr (has_curvature) {
      return Equations::curvature(q, v);
    } else {
      // Twice along one direction; the inner dual is t, the outer one t again.
      using Once = Dual<T, 1>;
      using Twice = Dual<Once, 1>;
      Vec<Twice, N> along;
      unroll<N>([&](int i) POLHODE_LAMBDA {
        Once inner(q[i]);
        inner.tangent[0] = v[i];
        along[i] = Twice(inner);
        along[i].tangent[0] = Once(v[i]);
      });
      const auto values = typename Physics::template Equations<Twice>(parameters_).constraints(along);
      Multipliers second;
      unroll<D>([&](int i) POLHODE_LAMBDA { second[i] = values[i].tangent[0].tangent[0]; });
      return second;
    }
  }

 private:
  template <int n>
  POLHODE_HD auto dual() const {
    return typename Physics::template Equations<Dual<T, n>>(parameters_);
  }
  POLHODE_HD static Vec<Dual<T, N>, N> variables(const Position& q) {
    Vec<Dual<T, N>, N> x;
    unroll<N>([&](int i) POLHODE_LAMBDA { x[i] = Dual<T, N>::variable(q[i], i); });
    return x;
  }
  POLHODE_HD static Multipliers unit(int i) {
    Multipliers e;
    unroll<D>([&](int k) POLHODE_LAMBDA { e[k] = T(Real<T>(k == i ? 1 : 0)); });
    return e;
  }
  POLHODE_HD static Multipliers times(const Mat<T, D, N>& rows, const Position& v) {
    Multipliers product;
    repeat<D>([&](int i) POLHODE_LAMBDA { product[i] = dot(rows[i], v); });
    return product;
  }
  /// The matrix whose column j is column(j).
  template <class Column>
  POLHODE_HD static Mat<T, D, D> transposed(const Column& column) {
    Mat<T, D, D> a;
    repeat<D>([&](int j) POLHODE_LAMBDA {
      const Multipliers values = column(j);
      unroll<D>([&](int i) POLHODE_LAMBDA { a[i][j] = values[i]; });
    });
    return a;
  }

  const double* parameters_;
};

template <class Physics>
constexpr int derived_count() {
  if constexpr (requires { Physics::derived; })
    return std::size(Physics::derived);
  else
    return 0;
}
template <class Physics>
constexpr int conserved_count() {
  if constexpr (requires { Physics::conserved; })
    return std::size(Physics::conserved);
  else
    return 0;
}

template <class Physics>
struct ConstrainedSystem : Physics {
  using Physics::N, Physics::D;
  static constexpr int dim = 2 * N;
  static constexpr int n_derived = derived_count<Physics>(), n_conserved = conserved_count<Physics>();
  static constexpr int n_invariants = n_conserved + 2;
  static_assert(std::size(Physics::columns) == dim, "columns: positions, then momenta");

  /// The columns of a state, the energy, and what the Physics derives.
  static constexpr std::array<Quantity, dim + 1 + n_derived> observables = [] {
    std::array<Quantity, dim + 1 + n_derived> all{};
    for (int i = 0; i < dim; ++i) all[i] = Physics::columns[i];
    all[dim] = {"energy", "energy", "1/2 p W p + V(q), p lifted to the hidden constraint"};
    if constexpr (n_derived > 0)
      for (int i = 0; i < n_derived; ++i) all[dim + 1 + i] = Physics::derived[i];
    return all;
  }();
  static constexpr std::array<Quantity, n_invariants> invariants = [] {
    std::array<Quantity, n_invariants> all{};
    all[0] = {"energy", "energy", "H, with the momentum lifted to the hidden constraint"};
    if constexpr (n_conserved > 0)
      for (int i = 0; i < n_conserved; ++i) all[1 + i] = Physics::conserved[i];
    all[n_invariants - 1] = {"constraint", "of g", "largest |g_i(q)|"};
    return all;
  }();

  /// Whether invariant i is one for parameters p: unless the Physics says otherwise of conserved[i - 1].
  static bool conserves(const double* p, const double* /*x*/, int i) {
    if constexpr (requires { Physics::holds(p, i); })
      if (i > 0 && i < n_invariants - 1) return Physics::holds(p, i - 1);
    return true;
  }

  template <class T>
  using State = Vec<T, dim>;

  template <class T>
  POLHODE_HD static Vec<T, N> position(const State<T>& x) {
    Vec<T, N> q;
    unroll<N>([&](int i) POLHODE_LAMBDA { q[i] = x[i]; });
    return q;
  }
  template <class T>
  POLHODE_HD static Vec<T, N> momentum(const State<T>& x) {
    Vec<T, N> p;
    unroll<N>([&](int i) POLHODE_LAMBDA { p[i] = x[N + i]; });
    return p;
  }
  template <class T>
  POLHODE_HD static State<T> state(const Vec<T, N>& q, const Vec<T, N>& p) {
    State<T> x;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      x[i] = q[i];
      x[N + i] = p[i];
    });
    return x;
  }

  /// The equations for given parameters, in scalar type T.
  template <class T>
  struct Model : Calculus<Physics, T> {
    using Base = Calculus<Physics, T>;
    using Base::Base;

    /// The momentum on the hidden constraint (CM) that differs from p by constraint forces, p - G^T (G W G^T)^-1 G W p.
    POLHODE_HD Vec<T, N> to_hidden_constraint(const Vec<T, N>& q, const Vec<T, N>& p) const {
      const Vec<T, D> rate = this->push(q, this->velocity(p));
      return p - this->pull(q, LU<T, D>(this->schur(q, q)).solve(rate));
    }
    /// psi(q, p) = p - G^T (G G^T)^-1 G p, the orthogonal projection (TN).
    POLHODE_HD Vec<T, N> to_tangent(const Vec<T, N>& q, const Vec<T, N>& p) const {
      return p - this->pull(q, LU<T, D>(this->gram(q)).solve(this->push(q, p)));
    }
    /// Lanes in which the constraints are not independent at q: G W G^T has no inverse.
    POLHODE_HD Mask<T> is_singular(const Vec<T, N>& q) const {
      const Mat<T, D, D> a = this->schur(q, q);
      return LU<T, D>(a).is_singular(a);
    }

    POLHODE_OUTLINED T energy(const State<T>& x) const {
      const Vec<T, N> q = position(x);
      return energy(q, to_hidden_constraint(q, momentum(x)));
    }

    /// Entry i of ConstrainedSystem::invariants.
    POLHODE_OUTLINED T invariant(int i, const State<T>& x) const {
      const Vec<T, N> q = position(x);
      if (i == n_invariants - 1) return largest(this->constraints(q));
      const Vec<T, N> p = to_hidden_constraint(q, momentum(x));
      if constexpr (n_conserved > 0)
        if (i > 0) return this->conserved(i - 1, q, p);
      return energy(q, p);
    }

    /// Entry `index` of ConstrainedSystem::observables.
    POLHODE_OUTLINED T observe(int index, const State<T>& x) const {
      if (index < dim) return column(index, x);
      const Vec<T, N> q = position(x), p = to_hidden_constraint(q, momentum(x));
      if constexpr (n_derived > 0)
        if (index > dim) return this->derived(index - dim - 1, q, p);
      return energy(q, p);
    }

    /// Size of the terms that an observable is made of: what its round-off is relative to.
    POLHODE_OUTLINED T magnitude(int index, const State<T>& x) const {
      const Vec<T, N> q = position(x), p = momentum(x);
      if (index < N) return size(q);
      if (index < dim) return size(p);
      if (index == dim) {
        const Vec<T, N> lifted = to_hidden_constraint(q, p);
        return kinetic(lifted) + abs(this->potential(q));
      }
      if constexpr (requires { Base::magnitude(index, q, p); }) return Base::magnitude(index - dim - 1, q, p);
      return size(q) + size(p);
    }

   private:
    POLHODE_HD T kinetic(const Vec<T, N>& p) const { return T(Real<T>(0.5)) * dot(p, this->velocity(p)); }
    POLHODE_HD T energy(const Vec<T, N>& q, const Vec<T, N>& p) const { return kinetic(p) + this->potential(q); }

    POLHODE_HD static T column(int index, const State<T>& x) {
      T value = x[0];
      for_columns<dim>([&](int i) POLHODE_LAMBDA {
        if (i == index) value = x[i];
      });
      return value;
    }
    template <int n>
    POLHODE_HD static T largest(const Vec<T, n>& v) {
      T most = abs(v[0]);
      unroll<n>([&](int i) POLHODE_LAMBDA { most = select(abs(v[i]) > most, abs(v[i]), most); });
      return most;
    }
    POLHODE_HD static T size(const Vec<T, N>& v) {
      T sum = abs(v[0]);
      unroll<N>([&](int i) POLHODE_LAMBDA {
        if (i > 0) sum = sum + abs(v[i]);
      });
      return sum;
    }
  };
};

}  // namespace polhode::inline POLHODE_ISA
