// Derivatives from values by the complex step, Im f(q + i eps e_k) / eps, without cancellation: exact to round-off.
// f must be analytic: no abs, and no Eigen dot, norm or adjoint, which conjugate.
#pragma once

#include <Eigen/Dense>
#include <complex>

namespace polhode {

/// Df(q), for f from Eigen::Vector<std::complex<Real>, N> to a vector of M such numbers.
template <int M, class Real, int N, class Function>
Eigen::Matrix<Real, M, N> complex_step_jacobian(const Function& f, const Eigen::Vector<Real, N>& q) {
  using Complex = std::complex<Real>;
  // Its square is negligible beside any number in use, and quotients by it are far from underflow.
  constexpr Real step = Real(1e-100);
  Eigen::Vector<Complex, N> z = q.template cast<Complex>();
  Eigen::Matrix<Real, M, N> jacobian;
  for (int k = 0; k < q.size(); ++k) {
    z[k] = Complex(q[k], step);
    const Eigen::Vector<Complex, M> value = f(z);
    if (k == 0) jacobian.resize(value.size(), q.size());
    jacobian.col(k) = value.imag() / step;
    z[k] = q[k];
  }
  return jacobian;
}

}  // namespace polhode
