// Iterates of equations for a position on the constraints (math/bounded_iteration.hpp).
#pragma once

#include "polhode/math/bounded_iteration.hpp"

namespace polhode::inline POLHODE_ISA {

/// A position and the variable from which it follows. It has converged when the position has, because the variable may
/// have any scale.
template <class T, int N, int n>
struct ConstrainedPosition {
  Vec<T, N> q;
  Vec<T, n> variable;

  friend POLHODE_HD Mask<T> has_settled(const ConstrainedPosition& x, const ConstrainedPosition& next) {
    return has_settled(x.q, next.q);
  }
  friend POLHODE_HD T squared_change(const ConstrainedPosition& x, const ConstrainedPosition& next) {
    return squared_change(x.q, next.q);
  }
  friend POLHODE_HD Mask<T> diverges(const ConstrainedPosition& x, const ConstrainedPosition& next, const T& before) {
    return diverges(x.q, next.q, before);
  }
  friend POLHODE_HD ConstrainedPosition select(const Mask<T>& m, const ConstrainedPosition& a,
                                               const ConstrainedPosition& b) {
    return {select(m, a.q, b.q), select(m, a.variable, b.variable)};
  }
};
template <class T, int N, int n>
POLHODE_HD void copy_tangents(const Mask<T>& wanted, const ConstrainedPosition<T, N, n>& next,
                              ConstrainedPosition<T, N, n>& x) {
  copy_tangents<T>(wanted, next.q, x.q);
  copy_tangents<T>(wanted, next.variable, x.variable);
}

}  // namespace polhode::inline POLHODE_ISA
