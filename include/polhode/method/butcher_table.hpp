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

/// Copy of a table with room for more stages. Host only.
template <int larger, class T, int max>
ButcherTable<T, larger> widened(const ButcherTable<T, max>& of) {
  ButcherTable<T, larger> table;
  table.stages = of.stages;
  for (int i = 0; i < of.stages; ++i) {
    table.b[i] = of.b[i];
    table.c[i] = of.c[i];
    for (int j = 0; j < of.stages; ++j) {
      table.a[i][j] = of.a[i][j];
      table.a_hat[i][j] = of.a_hat[i][j];
    }
  }
  return table;
}

}  // namespace polhode::inline POLHODE_ISA
