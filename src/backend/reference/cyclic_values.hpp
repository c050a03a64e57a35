// Values of the metric of a system with a cyclic coordinate (system/cyclic_coordinate.hpp), independent of the system's
// type.
#pragma once

#include <functional>
#include <memory>

#include "backend/reference/system_values.hpp"

namespace polhode {

struct CyclicValues {
  int n;  ///< number of shape coordinates
  /// Computes metric[count()] at x[n]: M_hor row by row, A, I, V (system/cyclic_coordinate.hpp), all analytic in x.
  std::function<void(const Complex* x, Complex* metric)> metric;
  /// Discrete Lagrangian L_d(x0, x1, turn), one that the system itself defines, for a step h from x0 to x1 in which the
  /// cyclic coordinate advances by `turn`; empty if the system defines none.
  std::function<Complex(const Complex* x0, const Complex* x1, const Complex& turn, double h)> discrete_lagrangian = {};

  int count() const { return n * n + n + 2; }  ///< length of the array that metric() fills
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
