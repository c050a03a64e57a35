// Number that counts the floating-point operations on all numbers of its kind.
#pragma once

#include "polhode/scalar/scalar.hpp"
#include "throughput/operations.hpp"

namespace polhode {

/// Operations on numbers of type Counting since the counts were set to 0. For one thread at a time.
inline Operations counted;

template <class R>
struct Counting {
  R value;

  Counting() = default;
  Counting(R value) : value(value) {}

  friend Counting operator+(Counting a, Counting b) { return ++counted.others, a.value + b.value; }
  friend Counting operator-(Counting a, Counting b) { return ++counted.others, a.value - b.value; }
  friend Counting operator*(Counting a, Counting b) { return ++counted.others, a.value * b.value; }
  friend Counting operator/(Counting a, Counting b) { return ++counted.divisions, a.value / b.value; }
  friend Counting operator-(Counting a) { return -a.value; }
  friend Counting sqrt(Counting a) { return ++counted.divisions, polhode::sqrt(a.value); }
  friend Counting abs(Counting a) { return polhode::abs(a.value); }
  friend Counting select(bool mask, Counting a, Counting b) { return mask ? a : b; }
  friend bool operator<(Counting a, Counting b) { return a.value < b.value; }
  friend bool operator<=(Counting a, Counting b) { return a.value <= b.value; }
  friend bool operator>(Counting a, Counting b) { return a.value > b.value; }
  friend bool operator>=(Counting a, Counting b) { return a.value >= b.value; }
  friend bool operator==(Counting a, Counting b) { return a.value == b.value; }
  friend Counting fma(Counting a, Counting b, Counting c) {
    return ++counted.fused, polhode::fma(a.value, b.value, c.value);
  }
};

}  // namespace polhode

template <class R>
struct polhode::ScalarTraits<polhode::Counting<R>> {
  using Real = R;
  using Mask = bool;
  static constexpr int lanes = 1;
  static constexpr bool has_tangent = false;
};
