// Derivatives of a potential along given directions, taken of its gradient with dual numbers.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::inline POLHODE_ISA {

/// Derivatives of the potential of a mechanical system (system/mechanical_system.hpp). The model must outlive it.
template <class Model, class T, int N>
class PotentialDerivatives {
  using Direction = Vec<T, N>;

 public:
  POLHODE_HD explicit PotentialDerivatives(const Model& model) : model_(model) {}

  /// V'.
  POLHODE_HD Direction gradient(const Vec<T, N>& q) const { return model_.potential_gradient(q); }
  /// V''[u].
  POLHODE_HD Direction second(const Vec<T, N>& q, const Direction& u) const {
    return tangents(model_.gradient_at(moved(q, u)));
  }
  /// V'''[u, v].
  POLHODE_HD Direction third(const Vec<T, N>& q, const Direction& u, const Direction& v) const {
    return tangents(tangents(model_.gradient_at(moved(moved(q, u), v))));
  }
  /// V''''[u, v, w].
  POLHODE_HD Direction fourth(const Vec<T, N>& q, const Direction& u, const Direction& v, const Direction& w) const {
    return tangents(tangents(tangents(model_.gradient_at(moved(moved(moved(q, u), v), w)))));
  }

 private:
  /// q + e u, e the tangent.
  template <class S>
  POLHODE_HD static Vec<Dual<S, 1>, N> moved(const Vec<S, N>& q, const Direction& u) {
    Vec<Dual<S, 1>, N> x;
    unroll<N>([&](int i) POLHODE_LAMBDA {
      x[i] = Dual<S, 1>(q[i]);
      x[i].tangent[0] = S(u[i]);
    });
    return x;
  }
  template <class S>
  POLHODE_HD static Vec<S, N> tangents(const Vec<Dual<S, 1>, N>& x) {
    Vec<S, N> t;
    unroll<N>([&](int i) POLHODE_LAMBDA { t[i] = x[i].tangent[0]; });
    return t;
  }

  const Model& model_;
};

}  // namespace polhode::inline POLHODE_ISA
