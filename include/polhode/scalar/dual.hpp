// Dual<T, N>: a value and its derivatives along N directions (forward differentiation), for tangent maps.
//
// Comparisons, and thus all decisions of a step, use the value alone.
#pragma once

#include <type_traits>

#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

template <class T, int N>
struct Dual {
  T value{};
  T tangent[N]{};

  Dual() = default;
  POLHODE_HD Dual(const T& constant) : value(constant) {}
  /// Constant of the underlying type, for duals of duals and of packs.
  POLHODE_HD Dual(const Real<T>& constant) requires(!std::is_same_v<T, Real<T>>) : value(T(constant)) {}
  /// The k-th independent variable: tangent e_k.
  POLHODE_HD static Dual variable(const T& value, int k) {
    Dual a(value);
    a.tangent[k] = T(1);
    return a;
  }

  friend POLHODE_HD Dual operator+(Dual a, const Dual& b) {
    a.value = a.value + b.value;
    for (int k = 0; k < N; ++k) a.tangent[k] = a.tangent[k] + b.tangent[k];
    return a;
  }
  friend POLHODE_HD Dual operator-(Dual a, const Dual& b) {
    a.value = a.value - b.value;
    for (int k = 0; k < N; ++k) a.tangent[k] = a.tangent[k] - b.tangent[k];
    return a;
  }
  friend POLHODE_HD Dual operator-(Dual a) {
    a.value = -a.value;
    for (int k = 0; k < N; ++k) a.tangent[k] = -a.tangent[k];
    return a;
  }
  friend POLHODE_HD Dual operator*(const Dual& a, const Dual& b) {
    Dual c(a.value * b.value);
    for (int k = 0; k < N; ++k) c.tangent[k] = fma(a.tangent[k], b.value, a.value * b.tangent[k]);
    return c;
  }
  friend POLHODE_HD Dual operator/(const Dual& a, const Dual& b) {
    Dual c(a.value / b.value);
    for (int k = 0; k < N; ++k) c.tangent[k] = (a.tangent[k] - c.value * b.tangent[k]) / b.value;
    return c;
  }
  friend POLHODE_HD Dual fma(const Dual& a, const Dual& b, const Dual& c) {
    Dual d(fma(a.value, b.value, c.value));
    for (int k = 0; k < N; ++k) d.tangent[k] = fma(a.tangent[k], b.value, fma(a.value, b.tangent[k], c.tangent[k]));
    return d;
  }
  friend POLHODE_HD Dual sqrt(const Dual& a) {
    Dual c(sqrt(a.value));
    for (int k = 0; k < N; ++k) c.tangent[k] = a.tangent[k] / (c.value + c.value);
    return c;
  }
  friend POLHODE_HD Dual abs(const Dual& a) { return select(a.value < T(0), -a, a); }
  friend POLHODE_HD Dual select(const Mask<T>& m, const Dual& a, const Dual& b) {
    Dual c(select(m, a.value, b.value));
    for (int k = 0; k < N; ++k) c.tangent[k] = select(m, a.tangent[k], b.tangent[k]);
    return c;
  }
  /// The tangent of a at the value of b.
  friend POLHODE_HD Dual with_value_of(Dual a, const Dual& b) {
    a.value = b.value;
    return a;
  }

  friend POLHODE_HD Mask<T> operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend POLHODE_HD Mask<T> operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend POLHODE_HD Mask<T> operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend POLHODE_HD Mask<T> operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend POLHODE_HD Mask<T> operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
};

template <class T, int N>
struct ScalarTraits<Dual<T, N>> {
  using Real = polhode::Real<T>;
  using Mask = polhode::Mask<T>;
  static constexpr int lanes = lanes_of<T>;
  static constexpr bool has_tangent = true;
};

}  // namespace polhode::inline POLHODE_ISA
