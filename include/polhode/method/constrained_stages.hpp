// The stages of a Lobatto pair on constraints (method/constrained_collocation.hpp) and the iteration for them.
#pragma once

#include "polhode/math/bounded_iteration.hpp"
#include "polhode/method/constrained_hamiltonian.hpp"
#include "polhode/method/lobatto_tables.hpp"

namespace polhode::inline POLHODE_ISA {

/// A table with the inverse B of its matrix (a a_hat)_ik, i = 2, ..., s, k = 1, ..., s - 1.
template <class R>
struct ConstrainedTable : ButcherTable<R, 4> {
  R inverse[3][3];

  ConstrainedTable() = default;
  /// Host only.
  explicit ConstrainedTable(int stages) : ButcherTable<R, 4>(lobatto_table<R>(stages)) {
    const ButcherTable<long double, 4> table = lobatto_table<long double>(stages);
    const int n = stages - 1;
    Mat<long double, 3, 3> matrix{};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        matrix[i][k] = i == k && i >= n ? 1 : 0;  // the identity in what is not used
        for (int j = 0; j < stages && i < n && k < n; ++j) matrix[i][k] += table.a[i + 1][j] * table.a_hat[j][k];
      }
    const LU<long double, 3> factors(matrix);
    for (int k = 0; k < 3; ++k) {
      Vec<long double, 3> unit{};
      unit[k] = 1;
      const Vec<long double, 3> column = factors.solve(unit);
      for (int i = 0; i < 3; ++i) inverse[i][k] = static_cast<R>(column[i]);
    }
  }
};

/// Positions and momenta of the stages, and the multipliers of all but the last. They are in memory, since their number
/// is known at run time alone.
template <class T, int N, int D>
struct ConstrainedStages {
  int count;
  Vec<T, N> q[4], p[4];
  Vec<T, D> multipliers[3];

  /// Convergence is judged by the positions: multipliers have no scale of their own, and momenta follow from them.
  friend POLHODE_HD Mask<T> has_settled(const ConstrainedStages& x, const ConstrainedStages& next) {
    Mask<T> settled(true);
    for (int i = 1; i < x.count; ++i) settled = settled & has_settled(x.q[i], next.q[i]);
    return settled;
  }
  friend POLHODE_HD T squared_change(const ConstrainedStages& x, const ConstrainedStages& next) {
    T sum = squared_change(x.q[1], next.q[1]);
    for (int i = 2; i < x.count; ++i) sum = sum + squared_change(x.q[i], next.q[i]);
    return sum;
  }
  friend POLHODE_HD Mask<T> has_leapt(const ConstrainedStages& x, const ConstrainedStages& next, const T& before) {
    Mask<T> leapt(false);
    for (int i = 1; i < x.count; ++i) leapt = leapt | has_leapt(x.q[i], next.q[i], before);
    return leapt;
  }
  friend POLHODE_HD ConstrainedStages select(const Mask<T>& m, const ConstrainedStages& a, ConstrainedStages b) {
    for (int i = 0; i < a.count; ++i) {
      b.q[i] = select(m, a.q[i], b.q[i]);
      b.p[i] = select(m, a.p[i], b.p[i]);
      if (i < a.count - 1) b.multipliers[i] = select(m, a.multipliers[i], b.multipliers[i]);
    }
    return b;
  }
};
template <class T, int N, int D>
POLHODE_HD void take_tangents(const Mask<T>& wanted, const ConstrainedStages<T, N, D>& next,
                              ConstrainedStages<T, N, D>& x) {
  for (int i = 0; i < x.count; ++i) {
    take_tangents<T>(wanted, next.q[i], x.q[i]);
    take_tangents<T>(wanted, next.p[i], x.p[i]);
    if (i < x.count - 1) take_tangents<T>(wanted, next.multipliers[i], x.multipliers[i]);
  }
}

/// Iteration for the stages of a step from (q, p). The model and the table must outlive it.
template <class System, class T>
class StageEquation {
  static constexpr int N = System::N, D = System::D;
  using Table = ConstrainedTable<Real<T>>;

 public:
  using Unknown = ConstrainedStages<T, N, D>;

  POLHODE_HD StageEquation(const ConstrainedHamiltonian<System, T>& hamiltonian, const Table& table,
                           const TimeStep<T>& step, const Vec<T, N>& q, const Vec<T, N>& p)
      : hamiltonian_(hamiltonian),
        table_(table),
        step_(step),
        q_(q),
        p_(p),
        velocity_(hamiltonian.velocity(q, p)),
        matrix_(hamiltonian.schur(moved(Real<T>(0.5)), p)) {}

  POLHODE_HD Unknown start() const {
    Unknown x{};  // also what is not used, because it is copied
    x.count = table_.stages;
    for (int i = 0; i < x.count; ++i) {
      x.q[i] = moved(table_.c[i]);
      x.p[i] = p_;
    }
    return x;
  }
  POLHODE_HD Unknown sweep(const Unknown& x) const {
    const int count = x.count;
    Unknown next = x;
    for (int i = 1; i < count; ++i) {
      const Vec<T, D> missing = matrix_.solve(step_.inverse * hamiltonian_.constraints(x.q[i]));
      for (int k = 0; k < count - 1; ++k)
        next.multipliers[k] = fma(T(table_.inverse[k][i - 1]), missing, next.multipliers[k]);
      next.q[i] = q_;
    }
    for (int i = 0; i < count; ++i) next.p[i] = p_;
    for (int j = 0; j < count - 1; ++j) {
      const Vec<T, N> force = hamiltonian_.force(step_.h, x.q[j], x.p[j], next.multipliers[j]);
      for (int i = 0; i < count; ++i) next.p[i] = fma(T(-table_.a_hat[i][j]), force, next.p[i]);
    }
    for (int j = 0; j < count; ++j) {
      const Vec<T, N> move = step_.h * hamiltonian_.velocity(x.q[j], next.p[j]);
      for (int i = 1; i < count; ++i) next.q[i] = fma(T(table_.a[i][j]), move, next.q[i]);
    }
    return next;
  }
  /// The momentum at the end without the last multipliers.
  POLHODE_HD Vec<T, N> momentum(const Unknown& x) const {
    const int last = x.count - 1;
    Vec<T, N> p = p_;
    for (int j = 0; j < last; ++j)
      p = fma(T(-table_.b[j]), hamiltonian_.force(step_.h, x.q[j], x.p[j], x.multipliers[j]), p);
    return fma(T(-table_.b[last]) * step_.h, hamiltonian_.position_gradient(x.q[last], x.p[last]), p);
  }

 private:
  /// Position after a fraction of the step with the velocity at its start.
  POLHODE_HD Vec<T, N> moved(Real<T> fraction) const { return fma(T(fraction) * step_.h, velocity_, q_); }

  ConstrainedHamiltonian<System, T> hamiltonian_;
  const Table& table_;
  TimeStep<T> step_;
  Vec<T, N> q_, p_, velocity_;
  LU<T, D> matrix_;
};

}  // namespace polhode::inline POLHODE_ISA
