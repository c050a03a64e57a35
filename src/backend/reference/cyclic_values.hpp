// Values of the metric of a system with a cyclic coordinate (system/cyclic_coordinate.hpp), independent of the system's
// type.
#pragma once

#include <functional>
#include <memory>

#include "backend/reference/system_values.hpp"

namespace polhode {

struct CyclicValues {
  int n;  ///< number of shape coordinates
  /// Metric at x[n]: M_hor row by row, A, I, V, analytic functions of x, in metric[n^2 + n + 2].
  std::function<void(const Complex* x, Complex* metric)> metric;
  /// Discrete Lagrangian L_d(x0, x1, turn) of a step h, the system's own; empty if it has none.
  std::function<Complex(const Complex* x0, const Complex* x1, const Complex& turn, double h)> discrete_lagrangian = {};

  int count() const { return n * n + n + 2; }
};

template <class Physics>
CyclicValues cyclic_values(const double* p) {
  constexpr int n = Physics::N;
  const auto equations = std::make_shared<WithParameters<Physics, typename Physics::template Equations<Complex>>>(p);
  CyclicValues values{n, [=](const Complex* x, Complex* metric) {
                        const auto at = (*equations)->metric(to_vec<n>(x));
                        for (int i = 0; i < n; ++i) metric = std::copy_n(at.horizontal[i].v, n, metric);
                        metric = std::copy_n(at.connection.v, n, metric);
                        metric[0] = at.inertia;
                        metric[1] = at.potential;
                      }};
  if constexpr (requires(const Vec<Complex, n>& x, Complex one) { (*equations)->discrete_lagrangian(x, x, one, one); })
    values.discrete_lagrangian = [=](const Complex* x0, const Complex* x1, const Complex& turn, double h) {
      return (*equations)->discrete_lagrangian(to_vec<n>(x0), to_vec<n>(x1), turn, Complex(h));
    };
  return values;
}

}  // namespace polhode
