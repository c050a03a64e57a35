// Euler equations on moment algebras from which tests start, and the maps that they apply.
#pragma once

#include <cmath>
#include <string>

#include "papers/polynomial_systems.hpp"
#include "polhode/method/constraint_euler.hpp"
#include "polhode/method/constraint_euler_adjoint.hpp"

namespace polhode::test {

/// Algebra, and moments S c at the start with S = diag(1, 3/2, 2, ...).
struct MomentCase {
  const char* name;
  int d, n;
  double c[10];

  Eigen::VectorXd moments(const MomentAlgebra& algebra) const {
    Eigen::VectorXd values(algebra.dimension);
    for (int a = 0; a < algebra.dimension; ++a) values[a] = (1 + a / 2.0) * c[a];
    return values;
  }
};
inline constexpr MomentCase moment_cases[] = {
    {"G_2, d = 1", 1, 2, {-0.08, 0.22, -0.5}},
    {"G_3, d = 1", 1, 3, {-0.04, 0.11, -0.25, -0.1, -0.175, -0.205, -0.155}},
    {"G_2, d = 2", 2, 2, {-0.08, 0.22, -0.5, -0.2, -0.35, -0.41, -0.31, -0.15, -0.1, 0.04}},
};

/// The metric with a complement that no symmetry distinguishes.
inline ExtendedMetric tilted(ExtendedMetric metric, double tilt) {
  for (int k = 0; k < metric.tilt.size(); ++k) metric.tilt.data()[k] = tilt * std::cos(1 + k);
  return metric;
}
/// The metric with another inner product of the algebra.
inline ExtendedMetric skewed(ExtendedMetric metric) {
  for (int a = 0; a < metric.of_algebra.rows(); ++a)
    for (int b = 0; b < metric.of_algebra.cols(); ++b) metric.of_algebra(a, b) += 0.1 * std::cos(3 + a * b);
  return metric;
}

/// (2), (3); (10); half a step of the first and half a step of the second.
enum class MomentMap { first_order, adjoint, composition };
inline constexpr MomentMap moment_maps[] = {MomentMap::first_order, MomentMap::adjoint, MomentMap::composition};

/// Calls advance(kicks, h) for each stage of a step, until one fails.
template <class Advance>
bool for_stages(MomentMap map, double h, const Advance& advance) {
  if (map == MomentMap::first_order) return advance(ConstraintEulerMethod::kicks, h);
  if (map == MomentMap::adjoint) return advance(ConstraintEulerAdjointMethod::kicks, h);
  return advance(ConstraintEulerMethod::kicks, h / 2) && advance(ConstraintEulerAdjointMethod::kicks, h / 2);
}
inline bool advance(const FastMomentSteps& steps, MomentMap map, double h, Eigen::VectorXd& x) {
  return for_stages(map, h, [&](const Kicks& kicks, double stage) { return steps.advance(kicks, stage, x); });
}

/// Moments at the time t by the classical Runge-Kutta method: mu' = {mu, h}, h = mu . S^-1 mu / 2 (Lie-Poisson).
inline Eigen::VectorXd moment_flow(const MomentEuler& euler, Eigen::VectorXd mu, double t, int steps) {
  const MomentAlgebra& algebra = euler.algebra;
  const auto rate = [&](const Eigen::VectorXd& at) {
    Polynomials::Polynomial h = Polynomials::Polynomial::Zero(algebra.space.size());
    h.tail(algebra.dimension) = product(euler.inverse_of_algebra, at);
    Eigen::VectorXd change(algebra.dimension);
    for (int a = 0; a < algebra.dimension; ++a)
      change[a] = algebra.bracket(algebra.hamiltonian(a), h).tail(algebra.dimension).dot(at);
    return change;
  };
  const double k = t / steps;
  for (int i = 0; i < steps; ++i) {
    const Eigen::VectorXd k1 = rate(mu), k2 = rate(mu + k / 2 * k1), k3 = rate(mu + k / 2 * k2), k4 = rate(mu + k * k3);
    mu += k / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return mu;
}

}  // namespace polhode::test
