// The constraints g(q) = 0 of a system and their derivative G = Dg (D x N), which is taken with dual numbers unless the
// Equations of the system have
//
//   push(q, v)  G v,   pull(q, s)  G^T s   (both or neither)      gram(q)  G G^T      pull(q, s, p)  p + G^T s
#pragma once

#include "polhode/math/lu.hpp"
#include "polhode/system/dual_equations.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Physics, class T>
class Constraints : public DualEquations<Physics, T> {
  using Equations = typename Physics::template Equations<T>;
  using Base = DualEquations<Physics, T>;

 public:
  using Base::Base, Base::N;
  using typename Base::Position;
  static constexpr int D = Physics::D;
  using Multipliers = Vec<T, D>;

  /// Whether functions that a step calls several times are outlined, and shared by all methods and solvers.
  static constexpr bool is_large = N > 12;

  static constexpr bool has_jacobian = requires(const Equations& e, Position q) { e.push(q, q); };
  static constexpr bool has_gram = requires(const Equations& e, Position q) { e.gram(q); };

  /// G.
  POLHODE_HD Mat<T, D, N> jacobian(const Position& q) const {
    Mat<T, D, N> rows;
    if constexpr (has_jacobian) {
      repeat<D>([&](int i) POLHODE_LAMBDA { rows[i] = Equations::pull(q, Base::template unit<D>(i)); });
    } else {
      const auto values = this->template equations<Dual<T, N>>().constraints(this->variables(q));
      repeat<D>([&](int i)
                    POLHODE_LAMBDA { unroll<N>([&](int k) POLHODE_LAMBDA { rows[i][k] = values[i].tangent[k]; }); });
    }
    return rows;
  }

  /// G v.
  POLHODE_HD Multipliers push(const Position& q, const Position& v) const {
    if constexpr (has_jacobian) {
      return Equations::push(q, v);
    } else {
      return times(jacobian(q), v);
    }
  }

  /// G^T s.
  POLHODE_HD Position pull(const Position& q, const Multipliers& s) const {
    if constexpr (has_jacobian) {
      return outlined_if<is_large>([this](const Position& q, const Multipliers& s)
                                       POLHODE_LAMBDA { return Equations::pull(q, s); })(q, s);
    } else {
      const Mat<T, D, N> rows = jacobian(q);
      Position sum = s[0] * rows[0];
      repeat<D>([&](int i) POLHODE_LAMBDA {
        if (i > 0) sum = fma(s[i], rows[i], sum);
      });
      return sum;
    }
  }

  /// p + G^T s.
  POLHODE_HD Position pull(const Position& q, const Multipliers& s, const Position& p) const {
    if constexpr (requires(const Equations& e) { e.pull(q, s, p); }) {
      return outlined_if<is_large>([this](const Position& q, const Multipliers& s, const Position& p)
                                       POLHODE_LAMBDA { return Equations::pull(q, s, p); })(q, s, p);
    } else {
      return p + pull(q, s);
    }
  }

  /// G(r) L G(q)^T for a linear map L of vectors [N].
  template <class Map>
  POLHODE_HD Mat<T, D, D> product(const Position& r, const Position& q, const Map& map) const {
    const Mat<T, D, N> rows = jacobian(q);
    if constexpr (has_jacobian) {
      return with_columns([&](int j) POLHODE_LAMBDA { return Equations::push(r, map(rows[j])); });
    } else {
      const Mat<T, D, N> rows_r = jacobian(r);
      return with_columns([&](int j) POLHODE_LAMBDA { return times(rows_r, map(rows[j])); });
    }
  }

  /// G G^T.
  POLHODE_HD Mat<T, D, D> gram(const Position& q) const {
    if constexpr (has_gram) {
      return Equations::gram(q);
    } else {
      const Mat<T, D, N> rows = jacobian(q);
      return with_columns([&](int j) POLHODE_LAMBDA { return times(rows, rows[j]); });
    }
  }

 private:
  POLHODE_HD static Multipliers times(const Mat<T, D, N>& rows, const Position& v) {
    Multipliers product;
    repeat<D>([&](int i) POLHODE_LAMBDA { product[i] = dot(rows[i], v); });
    return product;
  }
  template <class Column>
  POLHODE_HD static Mat<T, D, D> with_columns(const Column& column) {
    Mat<T, D, D> a;
    repeat<D>([&](int j) POLHODE_LAMBDA {
      const Multipliers values = column(j);
      unroll<D>([&](int i) POLHODE_LAMBDA { a[i][j] = values[i]; });
    });
    return a;
  }
};

}  // namespace polhode::inline POLHODE_ISA
