// Observables and invariants as rows of tables: a quantity and the function that computes it.
//
// A table is a static constexpr member of the model whose functions it lists, so that the function of a row is a
// constant, and is inlined where it is called.
#pragma once

#include <array>
#include <type_traits>

#include "polhode/math/vec.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

/// Function: a pointer to a member of a model, or to a function that takes the model first.
template <class Function>
struct ObservableRow {
  Quantity quantity;
  Function value;
  /// Magnitude of its terms, to which its round-off is proportional; null: that of the state.
  Function magnitude = nullptr;
};

template <class Function>
struct InvariantRow {
  Quantity quantity;
  Function value;
  /// Whether it is conserved on the orbit of the state x for the parameters p; null: always. Host only.
  bool (*holds)(const double* p, const double* x) = nullptr;
};

/// Whether a row's function is null. Types are compared, because the sanitizers of GCC make comparisons of a function's
/// address no constants.
template <auto function>
inline constexpr bool is_null = std::is_same_v<std::integral_constant<decltype(function), function>,
                                               std::integral_constant<decltype(function), nullptr>>;

/// Rows of functions of positions and momenta.
template <class Equations, class T, int N>
using DerivedRow = ObservableRow<T (Equations::*)(const Vec<T, N>& q, const Vec<T, N>& p) const>;
template <class Equations, class T, int N>
using ConservedRow = InvariantRow<T (Equations::*)(const Vec<T, N>& q, const Vec<T, N>& p) const>;

/// Calls f(k) with k = index, first <= k < last, as a constant. By bisection, because a thread of a device does this in
/// every step.
template <int first, int last, class F>
POLHODE_HD auto choose(int index, const F& f) {
  if constexpr (last - first == 1) {
    return f(std::integral_constant<int, first>{});
  } else {
    constexpr int middle = (first + last) / 2;
    if (index < middle) return choose<first, middle>(index, f);
    return choose<middle, last>(index, f);
  }
}

template <class Function, class Model, class... State>
POLHODE_HD auto call(Function function, const Model& model, const State&... x) {
  if constexpr (std::is_member_function_pointer_v<Function>)
    return (model.*function)(x...);
  else
    return function(model, x...);
}

/// Value of a row of a table.
template <const auto& rows, class Model, class... State>
POLHODE_HD auto value_of(int row, const Model& model, const State&... x) {
  return choose<0, std::size(rows)>(row, [&](auto k) POLHODE_LAMBDA {
    constexpr auto value = rows[k].value;
    return call(value, model, x...);
  });
}

/// Magnitude of the terms of a row that defines it.
template <const auto& rows, class Model, class... State>
POLHODE_HD auto magnitude_of(int row, const Model& model, const State&... x) {
  return choose<0, std::size(rows)>(row, [&](auto k) POLHODE_LAMBDA {
    constexpr auto magnitude = rows[k].magnitude;
    return call(magnitude, model, x...);
  });
}

/// Columns of a state, then derived observables.
template <std::size_t dim, class Row, std::size_t n>
constexpr std::array<Quantity, dim + n> observables_of(const Quantity (&columns)[dim], const Row (&derived)[n]) {
  std::array<Quantity, dim + n> all{};
  for (std::size_t i = 0; i < dim; ++i) all[i] = columns[i];
  for (std::size_t i = 0; i < n; ++i) all[dim + i] = derived[i].quantity;
  return all;
}
template <class Row, std::size_t n>
constexpr std::array<Quantity, n> invariants_of(const Row (&rows)[n]) {
  std::array<Quantity, n> all{};
  for (std::size_t i = 0; i < n; ++i) all[i] = rows[i].quantity;
  return all;
}

/// Unit of the energy of a Physics, which need not say it.
template <class Physics>
constexpr const char* energy_unit() {
  if constexpr (requires { Physics::energy_unit; }) return Physics::energy_unit;
  return "energy";
}

template <class Function>
bool holds(const InvariantRow<Function>& row, const double* p, const double* x) {
  return !row.holds || row.holds(p, x);
}

}  // namespace polhode::inline POLHODE_ISA
