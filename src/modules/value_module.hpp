// Body of the source of the module with the values of a user's system (modules/module_source.cpp).
#pragma once

#include <array>
#include <complex>

#include "backend/reference/value_table.hpp"
#include "modules/form_of.hpp"
#include "modules/table.hpp"
#include "polhode/system/layer.hpp"

namespace polhode::inline POLHODE_ISA {

/// Type that has the Equations of a system: the system itself, but Cyclic for a CyclicSystem<Cyclic>.
template <class System>
struct PhysicsOf {
  using Type = System;
};
template <class Cyclic>
struct PhysicsOf<CyclicSystem<Cyclic>> {
  using Type = Cyclic;
};

template <class System>
struct ValuesOfModule {
  static constexpr SystemForm form = FormOf<System>::form;
  static constexpr bool has_metric = form == SystemForm::cyclic || form == SystemForm::reduced;
  static constexpr bool has_energies = form == SystemForm::constrained || form == SystemForm::mechanical;
  using Complex = std::complex<double>;
  using Model = typename System::template Model<double>;
  using State = Vec<double, System::dim>;

  using Physics = typename PhysicsOf<System>::Type;
  static constexpr int N = Physics::N;
  template <class T>
  using Equations = typename Physics::template Equations<T>;

  template <int n>
  static auto from(const double* x) {
    Vec<double, n> v;
    for (int i = 0; i < n; ++i) v[i] = x[i];
    return v;
  }
  template <int n>
  static auto from_pairs(const double* x) {
    Vec<Complex, n> v;
    for (int i = 0; i < n; ++i) v[i] = Complex(x[2 * i], x[2 * i + 1]);
    return v;
  }
  static double* store(const Complex& value, double* at) {
    at[0] = value.real();
    at[1] = value.imag();
    return at + 2;
  }
  static double* store(const auto& values, double* at) {
    for (int i = 0; i < N; ++i) at = store(values[i], at);
    return at;
  }

  static double observe(const double* p, int i, const double* x) { return Model(p).observe(i, from<System::dim>(x)); }
  static double invariant(const double* p, int i, const double* x) {
    return Model(p).invariant(i, from<System::dim>(x));
  }
  static double magnitude(const double* p, int i, const double* x) {
    return Model(p).magnitude(i, from<System::dim>(x));
  }
  static bool in_domain(const double* p, const double* x) {
    if constexpr (requires(const Model& m, const State& state) { m.in_domain(state); })
      return Model(p).in_domain(from<System::dim>(x));
    return true;
  }
  static bool is_at_edge(const double* p, const double* x, double h) {
    if constexpr (requires(const Model& m, const State& state) { m.is_at_edge(state, 0.0); })
      return Model(p).is_at_edge(from<System::dim>(x), h);
    return false;
  }
  static void velocity(const double* p, const double* momentum, double* v) {
    const auto values = Equations<double>(p).velocity(from<N>(momentum));
    for (int i = 0; i < N; ++i) v[i] = values[i];
  }
  static void potential(const double* p, const double* q, double* value) {
    store(Equations<Complex>(p).potential(from_pairs<N>(q)), value);
  }
  static void hamiltonian(const double* p, const double* q, const double* momentum, double* value) {
    store(Equations<Complex>(p).hamiltonian(from_pairs<N>(q), from_pairs<N>(momentum)), value);
  }
  static void constraints(const double* p, const double* q, double* g) {
    const auto values = Equations<Complex>(p).constraints(from_pairs<N>(q));
    for (int i = 0; i < System::D; ++i) g = store(values[i], g);
  }
  static void layer(const double* p, const double* curve, double* rates) {
    const typename System::template Model<Complex> model(p);
    const auto flow = LayerOf<System, Complex>(model).flow(from_pairs<2 * N + 1>(curve));
    for (int i = 0; i < 2 * N + 1; ++i) rates = store(flow[i], rates);
  }
  static void metric(const double* p, const double* x, double* values) {
    const auto terms = Equations<Complex>(p).metric(from_pairs<N>(x));
    for (int i = 0; i < N; ++i) values = store(terms.horizontal[i], values);
    values = store(terms.connection, values);
    values = store(terms.inertia, values);
    store(terms.potential, values);
  }
  static void discrete_lagrangian(const double* p, const double* x0, const double* x1, const double* turn, double h,
                                  double* value) {
    store(Equations<Complex>(p).discrete_lagrangian(from_pairs<N>(x0), from_pairs<N>(x1), Complex(turn[0], turn[1]),
                                                    Complex(h)),
          value);
  }

  static constexpr ValueTable table = [] {
    ValueTable all{.form = form,
                   .dim = System::dim,
                   .n_invariants = System::n_invariants,
                   .n_parameters = static_cast<int>(std::size(System::example_parameters)),
                   .N = N,
                   .D = 0,
                   .observe = observe,
                   .invariant = invariant,
                   .magnitude = magnitude,
                   .in_domain = in_domain,
                   .is_at_edge = is_at_edge};
    if constexpr (has_metric) {
      all.metric = metric;
      if constexpr (requires(const Equations<Complex>& e, const Vec<Complex, N>& x, Complex one) {
                      e.discrete_lagrangian(x, x, one, one);
                    })
        all.discrete_lagrangian = discrete_lagrangian;
    } else {
      all.D = System::D;
      if constexpr (System::D > 0) {
        all.constraints = constraints;
        all.layer = layer;
      }
      if constexpr (has_energies) {
        all.velocity = velocity;
        all.potential = potential;
      } else {
        all.hamiltonian = hamiltonian;
      }
    }
    return all;
  }();
};

}  // namespace polhode::inline POLHODE_ISA
