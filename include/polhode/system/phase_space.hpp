// Systems whose states are positions and momenta, with or without holonomic constraints: what such a system defines,
// and what follows from that for any Hamiltonian.
//
//   0 = g(q),   0 = G(q) H_p(q, p)  (hidden constraint),   G = Dg (D x N)
//
// A Physics has name, meaning, N, D (0: no constraints), parameters (system/description.hpp) and
//
//   columns                      std::array<Quantity, 2 N>, positions and momenta
//   example_parameters[]         in the order of parameters; example_step, one that resolves their motion; and
//   example_state(p, x)          a state [2 N] of the size that the parameters p suggest, roughly on the constraints;
//                                the sweeps of a step are counted for it, and tests start near it. Host only
//   Equations<T>(p)              in a scalar type T, with
//     constraints(q)               g, if there are constraints
//     derived[], conserved[]       further observables, and integrals besides the energy (both optional): rows of a
//                                  quantity and a function of Equations (rows.hpp), with magnitudes
//     is_inside(q)                 (optional) lanes in which q is inside the domain; a trajectory that leaves it ends.
//                                  Or is_inside(q, p)
//   edge                         (optional) how a trajectory leaves the domain, in words: "it ..."
//   open                         (optional) true: leaving the domain is a result, not a failure
//   invalid_reason(p)            (optional) why the parameters p cannot be used together, or null. Host only
//   warning(p)                   (optional) a warning about parameters that can be used, or null. Host only
//   sources[]                    (optional) keys of publications, or publications (publications.hpp)
//   equations[]                  (optional) lines of text: "H = ...", of constraints "0 = ...", and what is in them
//   energy_unit, constraint_unit (optional) units of H and of g
//
// and the Hamiltonian as in constrained_system.hpp, hamiltonian_system.hpp, mechanical_system.hpp or
// canonical_system.hpp. It may also have the derivatives of g that are listed in constraints.hpp.
//
// Energy and all derived quantities are those of the lifted momentum, which is on the hidden constraint. Momenta that
// are elsewhere (Momentum in description.hpp) are allowed only where the mass is constant. A family and a chart are
// optional, too (catalog/entry.hpp).
#pragma once

#include <array>

#include "polhode/system/rows.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Physics>
constexpr int derived_count() {
  if constexpr (requires { Physics::template Equations<double>::derived; })
    return std::size(Physics::template Equations<double>::derived);
  else
    return 0;
}
template <class Physics>
constexpr int conserved_count() {
  if constexpr (requires { Physics::template Equations<double>::conserved; })
    return std::size(Physics::template Equations<double>::conserved);
  else
    return 0;
}

template <class Physics>
constexpr const char* constraint_unit() {
  if constexpr (requires { Physics::constraint_unit; }) return Physics::constraint_unit;
  return "of g";
}

/// Calculus<Physics, T>: the Equations<T> with their derivatives, and
///   lifted(q, p)        the momentum on the hidden constraint that differs from p by constraint forces
///   force(q, p)         p', where methods need it
///   hamiltonian(q, p)   and hamiltonian_size(q, p), the magnitude of its terms
template <class Physics, template <class, class> class Calculus>
struct PhaseSpace : Physics {
  using Physics::N, Physics::D;
  static constexpr Kind kind = D > 0 ? Kind::constrained : Kind::canonical;
  static constexpr int dim = 2 * N;
  static constexpr Block layout[2] = {{0, N, Block::Form::position}, {N, N, Block::Form::momentum}};
  static constexpr int n_derived = derived_count<Physics>(), n_conserved = conserved_count<Physics>();
  static constexpr int n_invariants = 1 + n_conserved + (D > 0 ? 1 : 0);
  static_assert(std::size(Physics::columns) == dim, "columns: positions, then momenta");
  static_assert(
      [] {
        for (const Quantity& column : Physics::columns)
          if (!column.name) return false;
        return true;
      }(),
      "columns: a row is missing");

  /// Columns of a state, the energy, and the derived observables of the Physics.
  static constexpr std::array<Quantity, dim + 1 + n_derived> observables = [] {
    std::array<Quantity, dim + 1 + n_derived> all{};
    for (int i = 0; i < dim; ++i) all[i] = Physics::columns[i];
    all[dim] = {"energy", polhode::energy_unit<Physics>(),
                D > 0 ? "H, with the momentum lifted to the hidden constraint" : "H"};
    if constexpr (n_derived > 0)
      for (int i = 0; i < n_derived; ++i) all[dim + 1 + i] = Physics::template Equations<double>::derived[i].quantity;
    return all;
  }();
  static constexpr std::array<Quantity, n_invariants> invariants = [] {
    std::array<Quantity, n_invariants> all{};
    all[0] = observables[dim];
    if constexpr (n_conserved > 0)
      for (int i = 0; i < n_conserved; ++i) all[1 + i] = Physics::template Equations<double>::conserved[i].quantity;
    if constexpr (D > 0)
      all[n_invariants - 1] = {"constraint", polhode::constraint_unit<Physics>(), "largest |g_i(q)|"};
    return all;
  }();
  static bool conserves(const double* p, const double* x, int i) {
    if constexpr (n_conserved > 0)
      if (i > 0 && i <= n_conserved) return holds(Physics::template Equations<double>::conserved[i - 1], p, x);
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

    /// Model with the same parameters in another scalar type.
    template <class S>
    POLHODE_HD Model<S> in_scalar() const {
      return Model<S>(this->parameters());
    }

    POLHODE_OUTLINED T energy(const State<T>& x) const {
      const Vec<T, N> q = position(x);
      return this->hamiltonian(q, this->lifted(q, momentum(x)));
    }

    /// The equations of motion, of a constrained system with the multipliers substituted.
    POLHODE_HD State<T> flow(const State<T>& x) const requires requires(const Base& equations, const Vec<T, N>& q) {
      equations.force(q, q);
    }
    {
      const Vec<T, N> q = position(x), p = momentum(x);
      if constexpr (requires { this->rates(q, p); }) {
        const auto rates = this->rates(q, p);
        return state(rates.velocity, rates.force);
      } else if constexpr (requires { this->velocity(p); })
        return state(this->velocity(p), this->force(q, p));
      else
        return state(this->velocity(q, p), this->force(q, p));
    }

    /// Lanes in which a state is inside the domain of the system, if it has one.
    POLHODE_HD Mask<T> in_domain(const State<T>& x) const requires requires(const Base& equations, const Vec<T, N>& q) {
      requires requires { equations.is_inside(q); } || requires {
        equations.is_inside(q, q);
      };
    }
    {
      if constexpr (requires { this->is_inside(position(x)); })
        return this->is_inside(position(x));
      else
        return this->is_inside(position(x), momentum(x));
    }

    /// Lanes in which a step h from x that fails leaves the chart that the coordinates are of, if they are of one.
    POLHODE_HD Mask<T> is_at_edge(const State<T>& x, const T& h) const requires
        requires(const Base& equations, const Vec<T, N>& q, const T& time) {
      equations.is_at_edge(q, q, time);
    }
    { return Base::is_at_edge(position(x), momentum(x), h); }

    /// Entry i of PhaseSpace::invariants.
    POLHODE_OUTLINED T invariant(int i, const State<T>& x) const {
      const Vec<T, N> q = position(x);
      if constexpr (D > 0)
        if (i == n_invariants - 1) return largest(this->constraints(q));
      const Vec<T, N> p = this->lifted(q, momentum(x));
      if constexpr (n_conserved > 0)
        if (i > 0) return value_of<Base::conserved>(i - 1, *this, q, p);
      return this->hamiltonian(q, p);
    }

    /// Entry `index` of PhaseSpace::observables.
    POLHODE_OUTLINED T observe(int index, const State<T>& x) const {
      if (index < dim) return column(index, x);
      const Vec<T, N> q = position(x), p = this->lifted(q, momentum(x));
      if constexpr (n_derived > 0)
        if (index > dim) return value_of<Base::derived>(index - dim - 1, *this, q, p);
      return this->hamiltonian(q, p);
    }

    /// Magnitude of the terms of an observable, to which its round-off is proportional.
    POLHODE_OUTLINED T magnitude(int index, const State<T>& x) const {
      const Vec<T, N> q = position(x), p = momentum(x);
      if (index < N) return size(q);
      if (index < dim) return size(p);
      if constexpr (n_derived > 0)
        if (index > dim)
          return choose<0, n_derived>(index - dim - 1, [&](auto k) POLHODE_LAMBDA {
            constexpr auto magnitude = Base::derived[k].magnitude;
            if constexpr (is_null<magnitude>)
              return size(q) + size(p);
            else
              return call(magnitude, *this, q, p);
          });
      return this->hamiltonian_size(q, this->lifted(q, p));
    }

   private:
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
