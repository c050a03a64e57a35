// Number of sweeps of an implicit step that suffice for a typical state: K of math/bounded_iteration.hpp. Host only.
#pragma once

#include "polhode/math/bounded_iteration.hpp"

namespace polhode::inline POLHODE_ISA {

/// The typical state of a system for the parameters p, in precision R.
template <class System, class R>
typename System::template State<R> typical_state(const double* p) {
  double example[System::dim];
  System::example_state(p, example);
  typename System::template State<R> x;
  for (int i = 0; i < System::dim; ++i) x[i] = static_cast<R>(example[i]);
  return x;
}

/// Number of sweeps, starting from x, after which another one changes nothing; at most `most`.
template <class Unknown, class Sweep>
int sweeps_to_settle(Unknown x, int most, const Sweep& sweep) {
  for (int k = 1; k < most; ++k) {
    const Unknown next = sweep(x);
    if (has_settled(x, next)) return k;
    x = next;
  }
  return most;
}

}  // namespace polhode::inline POLHODE_ISA
