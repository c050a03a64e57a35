// Values of the functions of a system that the reference uses, independent of the system's type.
#pragma once

#include <algorithm>
#include <complex>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include "polhode/math/vec.hpp"
#include "polhode/system/layer.hpp"

namespace polhode {

using Complex = std::complex<double>;

/// Observables and invariants of a system, by their index i in System::observables or System::invariants, at a state
/// x[dim].
struct Observables {
  int dim, n_invariants;
  std::function<double(int i, const double*x)> observe, invariant;
  /// Whether x is in the domain of the system.
  std::function<bool(const double* x)> in_domain = [](const double*) { return true; };
  /// Whether a step h from x that fails has left the domain of the coordinates.
  std::function<bool(const double* x, double h)> is_at_edge = [](const double*, double) { return false; };
  /// Size of the terms of observable i.
  std::function<double(int i, const double* x)> magnitude = [](int, const double*) { return 0.0; };
};

/// Rates of a curve (q, u, S) of a constrained system's layer (system/layer.hpp), at complex points: arrays are [2 N +
/// 1].
using LayerFunction = std::function<void(const Complex* curve, Complex* rates)>;

/// Functions of a ConstrainedSystem with N coordinates and D constraints, or of a MechanicalSystem, where D = 0: W p,
/// and V and g, which are analytic, and its layer. Arrays are [N], except g[D].
struct MechanicalValues {
  int N, D;
  std::function<void(const double* p, double* v)> velocity;
  std::function<Complex(const Complex* q)> potential;
  std::function<void(const Complex* q, Complex* g)> constraints;
  LayerFunction layer;  ///< layer with momenta u; empty without constraints
};

/// Functions of a HamiltonianSystem with N coordinates and D constraints, or of a CanonicalSystem, where D = 0: H and
/// g, which are analytic, and its layer. Arrays are [N], except g[D].
struct HamiltonianValues {
  int N, D;
  std::function<Complex(const Complex* q, const Complex* p)> hamiltonian;
  std::function<void(const Complex* q, Complex* g)> constraints;
  LayerFunction layer{};  ///< layer with velocities u, for an H quadratic in the momenta; empty without constraints
};

/// Equations or Model of a system with their own copy of the parameters.
template <class System, class Equations>
class WithParameters {
 public:
  explicit WithParameters(const double* p)
      : parameters_(p, p + std::size(System::example_parameters)), equations_(parameters_.data()) {}
  WithParameters(const WithParameters&) = delete;  // the equations point to the parameters
  const Equations* operator->() const { return &equations_; }
  const Equations& operator*() const { return equations_; }

 private:
  std::vector<double> parameters_;
  Equations equations_;
};

template <int n, class T>
Vec<T, n> to_vec(const T* x) {
  Vec<T, n> v;
  std::copy_n(x, n, v.v);
  return v;
}

/// Observables of a system with parameters p.
template <class System>
Observables observables_of(const double* p) {
  constexpr int dim = System::dim;
  const auto model = std::make_shared<WithParameters<System, typename System::template Model<double>>>(p);
  Observables observables{dim, System::n_invariants,
                          [=](int i, const double* x) { return (*model)->observe(i, to_vec<dim>(x)); },
                          [=](int i, const double* x) { return (*model)->invariant(i, to_vec<dim>(x)); }};
  observables.magnitude = [=](int i, const double* x) { return (*model)->magnitude(i, to_vec<dim>(x)); };
  if constexpr (requires(const typename System::template Model<double>& m, const Vec<double, dim>& x) {
                  m.in_domain(x);
                })
    observables.in_domain = [=](const double* x) { return (*model)->in_domain(to_vec<dim>(x)); };
  if constexpr (requires(const typename System::template Model<double>& m, const Vec<double, dim>& x) {
                  m.is_at_edge(x, 0.0);
                })
    observables.is_at_edge = [=](const double* x, double h) { return (*model)->is_at_edge(to_vec<dim>(x), h); };
  return observables;
}

template <class System>
std::function<void(const Complex* q, Complex* g)> constraints_of(const double* p) {
  if constexpr (System::D > 0) {
    const auto equations = std::make_shared<WithParameters<System, typename System::template Equations<Complex>>>(p);
    return [=](const Complex* q, Complex* g) {
      const auto values = (*equations)->constraints(to_vec<System::N>(q));
      std::copy_n(values.v, System::D, g);
    };
  } else {
    return {};
  }
}

template <class System>
LayerFunction layer_of_system(const double* p) {
  if constexpr (System::D > 0) {
    using Layer = LayerOf<System, Complex>;
    const auto model = std::make_shared<WithParameters<System, typename System::template Model<Complex>>>(p);
    return [=](const Complex* curve, Complex* rates) {
      const auto all = Layer(**model).flow(to_vec<2 * System::N + 1>(curve));
      std::copy_n(all.v, 2 * System::N + 1, rates);
    };
  } else {
    return {};
  }
}

template <class System>
MechanicalValues mechanical_values(const double* p) {
  constexpr int N = System::N;
  const auto real = std::make_shared<WithParameters<System, typename System::template Equations<double>>>(p);
  const auto complex = std::make_shared<WithParameters<System, typename System::template Equations<Complex>>>(p);
  return {N,
          System::D,
          [=](const double* momentum, double* v) {
            const auto velocity = (*real)->velocity(to_vec<N>(momentum));
            std::copy_n(velocity.v, N, v);
          },
          [=](const Complex* q) { return (*complex)->potential(to_vec<N>(q)); },
          constraints_of<System>(p),
          layer_of_system<System>(p)};
}

template <class System>
HamiltonianValues hamiltonian_values(const double* p) {
  constexpr int N = System::N;
  const auto equations = std::make_shared<WithParameters<System, typename System::template Equations<Complex>>>(p);
  return {N, System::D,
          [=](const Complex* q, const Complex* momentum) {
            return (*equations)->hamiltonian(to_vec<N>(q), to_vec<N>(momentum));
          },
          constraints_of<System>(p), layer_of_system<System>(p)};
}

}  // namespace polhode
