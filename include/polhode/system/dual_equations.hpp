// The Equations<T> of a Physics (phase_space.hpp) with the means to differentiate them: the same equations in dual
// numbers, and arguments for these.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Physics, class T>
class DualEquations : public Physics::template Equations<T> {
  using Equations = typename Physics::template Equations<T>;

 public:
  static constexpr int N = Physics::N;
  using Position = Vec<T, N>;

  POLHODE_HD explicit DualEquations(const double* p) : Equations(p), parameters_(p) {}

 protected:
  /// The equations in another scalar type.
  template <class S>
  POLHODE_HD auto equations() const {
    return typename Physics::template Equations<S>(parameters_);
  }
  POLHODE_HD static Vec<Dual<T, N>, N> variables(const Position& q) {
    Vec<Dual<T, N>, N> x;
    unroll<N>([&](int i) POLHODE_LAMBDA { x[i] = Dual<T, N>::variable(q[i], i); });
    return x;
  }
  POLHODE_HD static Vec<Dual<T, N>, N> constants(const Position& q) {
    Vec<Dual<T, N>, N> x;
    unroll<N>([&](int i) POLHODE_LAMBDA { x[i] = Dual<T, N>(q[i]); });
    return x;
  }

  POLHODE_HD const double* parameters() const { return parameters_; }

  POLHODE_HD static Position unit(int i) { return unit<N>(i); }
  template <int n>
  POLHODE_HD static Vec<T, n> unit(int i) {
    Vec<T, n> e;
    unroll<n>([&](int k) POLHODE_LAMBDA { e[k] = T(Real<T>(k == i ? 1 : 0)); });
    return e;
  }

 private:
  const double* parameters_;
};

}  // namespace polhode::inline POLHODE_ISA
