// The stages of a Lobatto pair on constraints (method/constrained_collocation.hpp) and the iteration for them.
#pragma once

#include "polhode/method/constrained_hamiltonian.hpp"
#include "polhode/method/lobatto_tables.hpp"
#include "polhode/method/stages.hpp"

namespace polhode::inline POLHODE_ISA {

/// A table with the inverse B of its matrix (a a_hat)_ik, i = 2, ..., s, k = 1, ..., s - 1.
template <class R>
struct ConstrainedTable : ButcherTable<R, 4> {
  R inverse[3][3] = {};

  ConstrainedTable() = default;
  /// Host only.
  explicit ConstrainedTable(int stages) : ButcherTable<R, 4>(lobatto_table<R>(stages)) {
    constexpr long double root = root_of_five;
    static constexpr long double inverses[][3][3] = {
        {{2}},
        {{16, -2}, {-8, 4}},
        {{25 + 15 * root, 25 - 15 * root, 2}, {-20, 10, 5 - 3 * root}, {10, -20, 5 + 3 * root}}};
    for (int k = 0; k < stages - 1; ++k)
      for (int i = 0; i < stages - 1; ++i) inverse[k][i] = static_cast<R>(inverses[stages - 2][k][i]);
  }
};

/// Positions and momenta of the stages, and their multipliers.
template <class T, int N, int D>
struct ConstrainedStages {
  Stages<T, N, 4> q, p;
  Stages<T, D, 3> multipliers;  ///< of all stages but the last

  POLHODE_HD explicit ConstrainedStages(int count) : q(count), p(count), multipliers(count - 1) {}

  /// Convergence is judged by the positions: multipliers have no scale of their own, and momenta follow from them.
  friend POLHODE_HD Mask<T> has_settled(const ConstrainedStages& x, const ConstrainedStages& next) {
    return has_settled(x.q, next.q);
  }
  friend POLHODE_HD T squared_change(const ConstrainedStages& x, const ConstrainedStages& next) {
    return squared_change(x.q, next.q);
  }
  friend POLHODE_HD Mask<T> diverges(const ConstrainedStages& x, const ConstrainedStages& next, const T& before) {
    return diverges(x.q, next.q, before);
  }
  friend POLHODE_HD ConstrainedStages select(const Mask<T>& m, const ConstrainedStages& a, ConstrainedStages b) {
    b.q = select(m, a.q, b.q);
    b.p = select(m, a.p, b.p);
    b.multipliers = select(m, a.multipliers, b.multipliers);
    return b;
  }
};
template <class T, int N, int D>
POLHODE_HD void copy_tangents(const Mask<T>& wanted, const ConstrainedStages<T, N, D>& next,
                              ConstrainedStages<T, N, D>& x) {
  copy_tangents<T>(wanted, next.q, x.q);
  copy_tangents<T>(wanted, next.p, x.p);
  copy_tangents<T>(wanted, next.multipliers, x.multipliers);
}

/// Iteration for the stages of a step from (q, p). The model and the table must outlive it.
template <class System, class T>
class ConstrainedStageEquation {
  static constexpr int N = System::N, D = System::D;
  using Table = ConstrainedTable<Real<T>>;

 public:
  using Unknown = ConstrainedStages<T, N, D>;

  POLHODE_HD ConstrainedStageEquation(const ConstrainedHamiltonian<System, T>& hamiltonian, const Table& table,
                                      const TimeStep<T>& step, const Vec<T, N>& q, const Vec<T, N>& p)
      : hamiltonian_(hamiltonian),
        table_(table),
        step_(step),
        q_(q),
        p_(p),
        velocity_(hamiltonian.velocity(q, p)),
        matrix_(hamiltonian.schur(moved(Real<T>(0.5)), p)) {}

  POLHODE_HD Unknown start() const {
    Unknown x(table_.stages);
    for (int i = 0; i < table_.stages; ++i) {
      x.q.of[i] = moved(table_.c[i]);
      x.p.of[i] = p_;
    }
    for (int k = 0; k < table_.stages - 1; ++k)
      unroll<D>([&](int d) POLHODE_LAMBDA { x.multipliers.of[k][d] = T(Real<T>(0)); });
    return x;
  }
  POLHODE_HD Unknown sweep(const Unknown& x) const {
    const int s = table_.stages;
    Unknown next = x;
    for (int i = 1; i < s; ++i) {
      const Vec<T, D> g = hamiltonian_.constraints(x.q.of[i]);
      const Vec<T, D> change = matrix_.solve(step_.inverse * (step_.inverse * g));
      for (int k = 0; k < s - 1; ++k)
        next.multipliers.of[k] = fma(T(table_.inverse[k][i - 1]), change, next.multipliers.of[k]);
    }
    Vec<T, N> forces[3], velocities[4];
    for (int j = 0; j < s - 1; ++j) forces[j] = hamiltonian_.force(x.q.of[j], x.p.of[j], next.multipliers.of[j]);
    for (int i = 0; i < s; ++i) next.p.of[i] = advanced(p_, -step_.h, table_.a_hat[i], forces, s - 1);
    for (int j = 0; j < s; ++j) velocities[j] = hamiltonian_.velocity(x.q.of[j], next.p.of[j]);
    for (int i = 1; i < s; ++i) next.q.of[i] = advanced(q_, step_.h, table_.a[i], velocities, s);
    return next;
  }
  /// The momentum at the end, without the last multipliers.
  POLHODE_HD Vec<T, N> momentum(const Unknown& x) const {
    const int last = table_.stages - 1;
    Vec<T, N> forces[4];
    for (int j = 0; j < last; ++j) forces[j] = hamiltonian_.force(x.q.of[j], x.p.of[j], x.multipliers.of[j]);
    forces[last] = hamiltonian_.position_gradient(x.q.of[last], x.p.of[last]);
    return advanced(p_, -step_.h, table_.b, forces, table_.stages);
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
