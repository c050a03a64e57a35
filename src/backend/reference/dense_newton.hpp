// Newton's method for a dense system F(y) = 0, continued until the residual stagnates at round-off.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "backend/reference/dense_solve.hpp"

namespace polhode {

/// F and its derivative at one point y.
template <class Real, int Size>
struct Linearisation {
  Eigen::Vector<Real, Size> residual;        ///< F(y)
  Eigen::Matrix<Real, Size, Size> jacobian;  ///< DF(y)
  Real relative;                             ///< largest residual, relative to the size of the terms that cancel in it
};

/// Jacobian Df(x) by central differences: accurate enough for an iteration that uses one Jacobian for a whole step.
template <class Function>
Eigen::MatrixXd difference_jacobian(const Function& f, const Eigen::VectorXd& x) {
  const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * (1 + x.lpNorm<Eigen::Infinity>());
  Eigen::MatrixXd derivative;
  for (int k = 0; k < x.size(); ++k) {
    const Eigen::VectorXd along = step * Eigen::VectorXd::Unit(x.size(), k);
    const Eigen::VectorXd column = (f(x + along) - f(x - along)) / (2 * step);
    if (k == 0) derivative.resize(column.size(), x.size());
    derivative.col(k) = column;
  }
  return derivative;
}

inline constexpr int max_newton_iterations = 50;

/// Improves y to a zero of F and returns true; returns false if it finds none, and y is then meaningless. equations(y):
/// Linearisation of F at y.
template <class Real, int Size, class Equations>
bool solve_dense_newton(const Equations& equations, Eigen::Vector<Real, Size>& y) {
  // A residual is a sum of about as many rounded terms as there are unknowns; 4 leaves room for the terms' own errors.
  const Real round_off = Real(4 * y.size()) * std::numeric_limits<Real>::epsilon();
  Eigen::Vector<Real, Size> best = y;
  Real best_relative = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < max_newton_iterations; ++i) {
    const Linearisation<Real, Size> at = equations(y);
    const bool stagnates = !(at.relative < best_relative / 2);
    if (at.relative < best_relative) {
      best = y;
      best_relative = at.relative;
    }
    if (best_relative == 0 || (stagnates && best_relative <= round_off)) {
      y = best;
      return true;
    }
    y -= solve_dense<Real>(at.jacobian, at.residual);
    if (!y.allFinite()) return false;
  }
  return false;
}

}  // namespace polhode
