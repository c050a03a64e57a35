// Tables of partitioned Runge-Kutta methods: a, of the positions, and a_hat, of the momenta, with common weights b and
// nodes c. An ordinary Runge-Kutta method has a_hat = a.
#pragma once

#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// max: the largest number of stages.
template <class T, int max>
struct ButcherTable {
  int stages = 0;
  T a[max][max] = {}, a_hat[max][max] = {};
  T b[max] = {}, c[max] = {};
};

}  // namespace polhode::inline POLHODE_ISA
