// The modified Hamiltonian of a method on constraints, from its generating function (Hairer 2003, sect. 4): the series
// S = h S_1 + h^2 S_2 + ... (3.6) gives H~ = H_1 + h H_2 + h^2 H_3 + ... by
//
//   S_1 = H_1,   S_2 = H_2 + 1/2 H_1q.H_1p                                                            (4.3)
//   S_3 = H_3 + 1/2 H_1q.H_2p + 1/2 H_2q.H_1p + 1/6 H_1q.(H_1q.H_1p)_p + 1/6 H_1qq[H_1p, H_1p]
//
// (1/3 in the last term as printed). Near a point of phase space, in power series of h, p and q, of total degree 4:
// then S_k, and with it H_k, has its derivatives up to order 4 - k.
#pragma once

#include "papers/extended_method.hpp"
#include "papers/power_series.hpp"

namespace polhode::test {

/// Series in the step or time (variable 0), p (1, 2, 3) and q (4, 5, 6).
using NearAPoint = PowerSeries<7, 4>;
inline constexpr int index_of_p = 1, index_of_q = 4;

inline Triple<NearAPoint> variables_near(const Triple<double>& values, int first) {
  Triple<NearAPoint> x;
  for (int k = 0; k < 3; ++k) x[k] = NearAPoint::variable(values[k], first + k);
  return x;
}
inline Triple<NearAPoint> gradient_of(const NearAPoint& f, int first) {
  return {f.derivative(first), f.derivative(first + 1), f.derivative(first + 2)};
}
/// The second derivative of f along v twice, first = index_of_p or index_of_q.
inline NearAPoint curvature_of(const NearAPoint& f, int first, const Triple<NearAPoint>& v) {
  NearAPoint sum;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += v[i] * v[j] * f.derivative(first + i).derivative(first + j);
  return sum;
}
/// a_q.b_p.
inline NearAPoint product_of_slopes(const NearAPoint& a, const NearAPoint& b) {
  return dot(gradient_of(a, index_of_q), gradient_of(b, index_of_p));
}

/// Terms with H_1 alone in S_3, with the last coefficient.
inline NearAPoint third_term_of(const NearAPoint& H_1, double last_coefficient) {
  return (1.0 / 6) * product_of_slopes(H_1, product_of_slopes(H_1, H_1)) +
         last_coefficient * curvature_of(H_1, index_of_q, gradient_of(H_1, index_of_p));
}

struct ModifiedHamiltonian {
  ExtendedStep<NearAPoint> step;
  NearAPoint S[4], H[4];  ///< from index 1 on, in p and q
};

/// Modified Hamiltonian near a point.
inline ModifiedHamiltonian modified_hamiltonian(const RodPendulum& rod, const PartitionedTable& table,
                                                const PointOfRod& at) {
  constexpr int passes = 5;  // with four, the gradient of H_3 is not complete
  const NearAPoint h = NearAPoint::variable(0, 0);
  ModifiedHamiltonian modified;
  modified.step =
      extended_step<NearAPoint>(rod, table, FormalStep{}, h, KnownMomentum::end, variables_near(at.p, index_of_p),
                                variables_near(at.q, index_of_q), passes, at.q);
  const NearAPoint S = generating_function<NearAPoint>(rod, table, h, modified.step);
  for (int k = 1; k <= 3; ++k) modified.S[k] = S.part(0, k);
  NearAPoint(&H)[4] = modified.H;
  H[1] = modified.S[1];
  H[2] = modified.S[2] - 0.5 * product_of_slopes(H[1], H[1]);
  H[3] = modified.S[3] - 0.5 * (product_of_slopes(H[1], H[2]) + product_of_slopes(H[2], H[1])) -
         third_term_of(H[1], 1.0 / 6);
  return modified;
}

}  // namespace polhode::test
