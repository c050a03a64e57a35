// Values at the stages of a Runge-Kutta method: what a fixed-point iteration for all of them at once is about
// (math/bounded_iteration.hpp). They are in memory, since their number is known at run time only.
#pragma once

#include "polhode/math/bounded_iteration.hpp"

namespace polhode::inline POLHODE_ISA {

/// `count` vectors, of at most `max`. Convergence is judged stage by stage.
template <class T, int n, int max>
struct Stages {
  int count;
  Vec<T, n> of[max];

  POLHODE_HD explicit Stages(int count) : count(count) {}
  POLHODE_HD Stages(const Stages& other) { *this = other; }
  /// Leaves the places that are not in use alone.
  POLHODE_HD Stages& operator=(const Stages& other) {
    count = other.count;
    for (int i = 0; i < count; ++i) of[i] = other.of[i];
    return *this;
  }

  friend POLHODE_HD Mask<T> has_settled(const Stages& x, const Stages& next) {
    Mask<T> settled = has_settled(x.of[0], next.of[0]);
    for (int i = 1; i < x.count; ++i) settled = settled & has_settled(x.of[i], next.of[i]);
    return settled;
  }
  /// The sum over the stages.
  friend POLHODE_HD T squared_change(const Stages& x, const Stages& next) {
    T sum = squared_change(x.of[0], next.of[0]);
    for (int i = 1; i < x.count; ++i) sum = sum + squared_change(x.of[i], next.of[i]);
    return sum;
  }
  friend POLHODE_HD Mask<T> diverges(const Stages& x, const Stages& next, const T& before) {
    Mask<T> diverging = diverges(x.of[0], next.of[0], before);
    for (int i = 1; i < x.count; ++i) diverging = diverging | diverges(x.of[i], next.of[i], before);
    return diverging;
  }
  friend POLHODE_HD Stages select(const Mask<T>& m, const Stages& a, Stages b) {
    for (int i = 0; i < b.count; ++i) b.of[i] = select(m, a.of[i], b.of[i]);
    return b;
  }
};

template <class T, int n, int max>
POLHODE_HD void copy_tangents(const Mask<T>& wanted, const Stages<T, n, max>& next, Stages<T, n, max>& x) {
  for (int i = 0; i < x.count; ++i) copy_tangents<T>(wanted, next.of[i], x.of[i]);
}

/// x + h sum of w_j r_j over the rates r at so many stages. Weights of another scalar are the same in every lane.
template <class T, class C, int n>
POLHODE_HD Vec<T, n> advanced(const Vec<T, n>& x, const T& h, const C* weights, const Vec<T, n>* rates, int count) {
  Vec<T, n> sum = T(weights[0]) * rates[0];
  for (int j = 1; j < count; ++j) sum = fma(T(weights[j]), rates[j], sum);
  return fma(h, sum, x);
}

}  // namespace polhode::inline POLHODE_ISA
