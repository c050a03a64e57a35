// The partitioned Runge-Kutta methods of Hairer 2003 off the constraints, sect. 3: a step is defined by
//
//   P_i = p0 - h sum_j a_hat_ij F_j,   Q_i = q0 + h sum_j a_ij H_p(P_j, Q_j),   F_j = H_q(P_j, Q_j) + G(Q_j)^T L_j
//   p1  = p0 - h sum_i b_i F_i,        q1  = q0 + h sum_i b_i H_p(P_i, Q_i)
//   0   = g(Q_i) - g(q0) - h c_i G(q0) H_p(p0, q0)                                                    (3.1)
//   0   = G(q1) H_p(p1, q1) - G(q0) H_p(p0, q0)                                                       (3.2)
//
// where b_s = 0, p1 has the further term -h G(q1)^T L_s. Its function S(p1, q0, h) is (3.3), with (3.5) where b_s = 0.
// (The paper's a and a_hat are exchanged here.) One constraint.
//
// In any numbers, also in power series, by an iteration whose matrix is that of the multipliers for h = 0: each pass
// adds correct terms of higher degree to a series, and makes errors of numbers smaller by a factor of order h.
#pragma once

#include <Eigen/Dense>

#include "numerics/dense.hpp"
#include "papers/rod_pendulum.hpp"
#include "polhode/method/butcher_table.hpp"
#include "polhode/method/lobatto_tables.hpp"

namespace polhode::test {

using PartitionedTable = ButcherTable<double, 4>;
inline constexpr PartitionedTable table_of_rattle{2, {{0, 0}, {0.5, 0.5}}, {{0.5, 0}, {0.5, 0}}, {0.5, 0.5}, {0, 1}};
inline constexpr PartitionedTable table_of_euler{2, {{0, 0}, {1, 0}}, {{1, 0}, {1, 0}}, {1, 0}, {0, 1}};
inline PartitionedTable table_of_lobatto() { return lobatto_table<double>(3); }

/// Conditions on the stages: (3.1), or (3.7), which is to replace it.
enum class StageConditions { of_3_1, of_3_7 };
/// Momentum that is given; the other one is found.
enum class KnownMomentum { start, end };

/// Step of a number.
struct NumberStep {
  double h;
  template <class T>
  T over(const T& x) const {
    return (1 / h) * x;
  }
};
/// Step that is the first variable of power series.
struct FormalStep {
  template <class Series>
  Series over(const Series& x) const {
    return x.divided_by(0);
  }
};

template <class T>
struct ExtendedStep {
  Triple<T> p0, q0, p1, q1;
  Triple<T> P[4], Q[4], F[4], V[4];  ///< V_i = H_p(P_i, Q_i)
  T L[4], residual[4];               ///< of (3.1) for i = 2, ..., s over h^2, and of (3.2) over h
};

/// Matrix of the multipliers in (3.1) over h^2 and (3.2) over h, for h = 0, over -G H_pp G^T.
inline Eigen::MatrixXd matrix_of_multipliers(const PartitionedTable& table, StageConditions conditions) {
  const int s = table.stages;
  const auto product = [&](int i, int k) {
    double sum = 0;
    for (int j = 0; j < s; ++j) sum += table.a[i][j] * table.a_hat[j][k];
    return sum;
  };
  Eigen::MatrixXd matrix(s, s);
  for (int k = 0; k < s; ++k) {
    for (int i = 1; i < s; ++i)
      matrix(i - 1, k) = product(i, k) - (conditions == StageConditions::of_3_7 ? 0.5 * product(s - 1, k) : 0.0);
    matrix(s - 1, k) = table.b[k];
  }
  if (table.b[s - 1] == 0) matrix(s - 1, s - 1) = 1;
  return matrix;
}

/// The step from or to p, from q0. `h` is also the value of `step`.
template <class T, class Step>
ExtendedStep<T> extended_step(const RodPendulum& rod, const PartitionedTable& table, const Step& step, const T& h,
                              KnownMomentum known, const Triple<T>& p, const Triple<T>& q0, int passes,
                              const Triple<double>& near_q, StageConditions conditions = StageConditions::of_3_1) {
  const int s = table.stages;
  const double b_s = table.b[s - 1];
  const Eigen::MatrixXd correction = inverse(matrix_of_multipliers(table, conditions)) / rod.schur(near_q);
  ExtendedStep<T> x;
  x.p0 = x.p1 = p, x.q0 = x.q1 = q0;
  for (int i = 0; i < s; ++i) x.P[i] = p, x.Q[i] = q0, x.L[i] = T(0);
  const auto update_forces = [&] {
    for (int i = 0; i < s; ++i) {
      x.V[i] = rod.velocity(x.Q[i], x.P[i]);
      x.F[i] = rod.slope(x.Q[i], x.P[i]) + x.L[i] * rod.normal(x.Q[i]);
    }
  };
  const auto sum_of = [&](const double* weights, const Triple<T>* terms) {
    Triple<T> sum{T(0), T(0), T(0)};
    for (int j = 0; j < s; ++j)
      if (weights[j] != 0)
        for (int k = 0; k < 3; ++k) sum[k] = sum[k] + weights[j] * terms[j][k];
    return h * sum;
  };
  const auto update_ends = [&] {
    Triple<T> impulse = sum_of(table.b, x.F);
    if (b_s == 0) impulse = impulse + (h * x.L[s - 1]) * rod.normal(x.q1);
    x.q1 = q0 + sum_of(table.b, x.V);
    if (known == KnownMomentum::start)
      x.p1 = p - impulse;
    else
      x.p0 = p + impulse;
  };
  for (int pass = 0; pass < passes; ++pass) {
    update_forces();
    update_ends();
    for (int i = 0; i < s; ++i) x.P[i] = x.p0 - sum_of(table.a_hat[i], x.F);
    for (int i = 0; i < s; ++i) x.V[i] = rod.velocity(x.Q[i], x.P[i]);
    for (int i = 1; i < s; ++i) x.Q[i] = q0 + sum_of(table.a[i], x.V);
    update_forces();
    update_ends();
    const T start = rod.constraint(q0), rate = rod.hidden_constraint(q0, x.p0);
    for (int i = 1; i < s; ++i) {
      const T at_stage = rod.constraint(x.Q[i]);
      const T off = conditions == StageConditions::of_3_1
                        ? at_stage - start - table.c[i] * (h * rate)
                        : at_stage - 0.5 * (start + rod.constraint(x.q1)) - (table.c[i] - 0.5) * (h * rate);
      x.residual[i - 1] = step.over(step.over(off));
    }
    x.residual[s - 1] = step.over(rod.hidden_constraint(x.q1, x.p1) - rate);
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) x.L[i] = x.L[i] + correction(i, j) * x.residual[j];
  }
  return x;
}

/// Generating function S, (3.3) and (3.5), of a step.
template <class T>
T generating_function(const RodPendulum& rod, const PartitionedTable& table, const T& h, const ExtendedStep<T>& x) {
  const int s = table.stages;
  T first(0), second(0);
  for (int i = 0; i < s; ++i) {
    if (table.b[i] == 0) continue;
    first = first + table.b[i] * (rod.hamiltonian(x.Q[i], x.P[i]) + x.L[i] * rod.constraint(x.Q[i]));
    for (int j = 0; j < s; ++j)
      if (table.a[i][j] != 0) second = second + (table.b[i] * table.a[i][j]) * dot(x.F[i], x.V[j]);
  }
  if (table.b[s - 1] == 0) {
    const int last = s - 1;
    first = first + x.L[last] * rod.constraint(x.Q[last]);
    for (int j = 0; j < s; ++j) second = second + table.a[last][j] * (x.L[last] * dot(rod.normal(x.Q[last]), x.V[j]));
  }
  return h * (first - h * second);
}

}  // namespace polhode::test
