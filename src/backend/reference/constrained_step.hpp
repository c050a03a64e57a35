// Step maps of a holonomically constrained system on its hidden-constraint manifold, made of kicks and one constrained
// motion and solved by a dense Newton iteration, to check the fast step maps, with which they share no code.
//
//   H(q, p) = 1/2 p^T W p + V(q),   0 = g(q),   G = Dg,   W = M^-1 constant
//
//   position   0 = q1 - q - h W p',   p' = p - a h V_q(q) - h G(q)^T lambda,   0 = g(q1)
//   momentum   0 = p1 - p' + b h V_q(q1) + h G(q1)^T mu,                       0 = G(q1) W p1
//
// * a = 1, b = 0: the first-order constraint algorithm, McLachlan & Scovel 1995, eqs. (2), (3), which is (9) on CM
// * a = 0, b = 1: its adjoint, eq. (10), which is (2) and (3) with (q, p) and (q1, p1) exchanged and -h for h
// * a = b = 1/2: RATTLE, eq. (11); Hairer 2003, eq. (5.2) in general form; Pierce 1994, eq. (16)
// * a = b = 1/2 without the equation for mu, p1 = p' - b h V_q(q1): SHAKE, Pierce 1994, eq. (15)
//
// All are symplectic. RATTLE and SHAKE are symmetric and of order 2, the others have order 1. Signs and factors of the
// multipliers are our own. Each line is stacked into one system of N + D unknowns, (q1, lambda) or (p1, mu).
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <utility>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/dense_newton.hpp"
#include "backend/reference/dense_solve.hpp"
#include "backend/reference/kick_fractions.hpp"
#include "polhode/method/status.hpp"

namespace polhode {

/// A point in phase space, of any number of coordinates.
template <class Real>
struct PhasePoint {
  Eigen::VectorX<Real> q, p;
};

/// The system of the head comment, with N coordinates and D constraints. V and g must be analytic (complex_step.hpp).
template <class Real>
struct ConstrainedProblem {
  using Complex = std::complex<Real>;

  Eigen::MatrixX<Real> inverse_mass;                                                     ///< W, N x N
  std::function<Complex(const Eigen::VectorX<Complex>& q)> potential;                    ///< V
  std::function<Eigen::VectorX<Complex>(const Eigen::VectorX<Complex>& q)> constraints;  ///< g, of D elements

  Eigen::VectorX<Real> constraints_at(const Eigen::VectorX<Real>& q) const {
    return constraints(q.template cast<Complex>()).real();
  }
};

/// Step map of a ConstrainedProblem. Real: double, compiled in constrained_step.cpp, or long double. unprojected:
/// without the equation for mu, as in SHAKE.
template <class Real>
class ConstrainedStep {
 public:
  using Vector = Eigen::VectorX<Real>;
  using Matrix = Eigen::MatrixX<Real>;
  using Point = PhasePoint<Real>;
  using Problem = ConstrainedProblem<Real>;
  using Complex = typename Problem::Complex;

  explicit ConstrainedStep(Problem problem, bool unprojected = false)
      : problem_(std::move(problem)), unprojected_(unprojected) {}

  /// One step of length h, which may be negative. Changes x only if the result is Status::ok.
  Status operator()(Real h, KickFractions kicks, Point& x) const;

  Real energy(const Point& x) const {
    return x.p.dot(problem_.inverse_mass * x.p) / 2 + problem_.potential(x.q.template cast<Complex>()).real();
  }

  Vector potential_gradient(const Vector& q) const {
    const auto potential = [&](const Eigen::VectorX<Complex>& z) {
      return Eigen::Vector<Complex, 1>(problem_.potential(z));
    };
    return complex_step_jacobian<1>(potential, q).transpose();
  }

  /// g(q).
  Vector constraint(const Point& x) const { return problem_.constraints_at(x.q); }

  /// G(q) W p, the rate of change of g.
  Vector hidden_constraint(const Point& x) const { return constraint_jacobian(x.q) * (problem_.inverse_mass * x.p); }

  /// Momentum p1 = p - G^T lambda on the hidden constraint, G W p1 = 0.
  Vector to_hidden_constraint(const Point& x) const { return without_component(x, problem_.inverse_mass); }
  /// Momentum p1 = p - G^T lambda in the tangent space, G p1 = 0 (psi of McLachlan & Scovel 1995).
  Vector to_tangent(const Point& x) const { return without_component(x, Matrix::Identity(x.q.size(), x.q.size())); }

 private:
  using StackedLinearisation = Linearisation<Real, Eigen::Dynamic>;
  /// Largest number of times that a step is shortened, in search of a start for Newton's method.
  static constexpr int most_shortenings = 8;

  Matrix constraint_jacobian(const Vector& q) const {
    return complex_step_jacobian<Eigen::Dynamic>(problem_.constraints, q);
  }

  Vector without_component(const Point& x, const Matrix& metric) const {
    const Matrix G = constraint_jacobian(x.q);
    const Matrix matrix = G * metric * G.transpose();
    const Vector lambda = solve_multipliers<Real>(matrix, G * (metric * x.p));
    return x.p - G.transpose() * lambda;
  }

  static Vector stack(const Vector& upper, const Vector& lower) {
    Vector y(upper.size() + lower.size());
    y << upper, lower;
    return y;
  }

  template <class V>
  static Real largest(const V& v) {
    return v.template lpNorm<Eigen::Infinity>();
  }

  /// Largest residual of the two blocks, each relative to the size of the terms that cancel in it.
  static Real relative_residual(const Vector& upper, Real upper_size, const Vector& lower, Real lower_size) {
    constexpr Real tiny = std::numeric_limits<Real>::min();  // a system at rest has only zeros: 0 / tiny = 0
    return std::max(largest(upper) / (upper_size + tiny), largest(lower) / (lower_size + tiny));
  }

  /// Position equations of the head comment, at y = (q1, lambda); p_free = p - a h V_q(q), jacobian = G(q).
  StackedLinearisation position_at(const Vector& y, Real h, const Vector& q, const Vector& p_free,
                                   const Matrix& jacobian) const {
    const auto n = q.size(), d = jacobian.rows();
    const Vector q1 = y.head(n);
    const Matrix jacobian1 = constraint_jacobian(q1);
    const Vector move = h * (problem_.inverse_mass * (p_free - h * (jacobian.transpose() * y.tail(d))));
    const Vector upper = q1 - q - move;
    const Vector lower = problem_.constraints_at(q1);

    StackedLinearisation at;
    at.residual = stack(upper, lower);
    at.relative =
        relative_residual(upper, largest(q) + largest(move), lower, largest(jacobian1.cwiseAbs() * q1.cwiseAbs()));
    at.jacobian.resize(n + d, n + d);
    at.jacobian.topLeftCorner(n, n).setIdentity();
    at.jacobian.topRightCorner(n, d) = h * h * (problem_.inverse_mass * jacobian.transpose());
    at.jacobian.bottomLeftCorner(d, n) = jacobian1;
    at.jacobian.bottomRightCorner(d, d).setZero();
    return at;
  }

  /// Solves the position equations for y by Newton's method; returns false if that finds no root. The root is to be the
  /// one that continues q1 = q from h = 0; from afar the method may find another one. It starts at the end of the free
  /// step. Where that end is far from the constraints, or leads to no root, it starts at 4/3 of the displacement of a
  /// step of 3/4 h, which is found in the same way. shortenings: how often a step may still be shortened so.
  bool solve_position(Real h, const Vector& q, const Vector& p_free, const Matrix& jacobian, int shortenings,
                      Vector& y) const {
    const auto solve = [&] {
      return solve_dense_newton<Real, Eigen::Dynamic>(
          [&](const Vector& at) { return position_at(at, h, q, p_free, jacobian); }, y);
    };
    constexpr Real shorter = 0.75, near = 0.125;
    y = stack(q + h * (problem_.inverse_mass * p_free), Vector::Zero(jacobian.rows()));
    const Real off = largest(problem_.constraints_at(y.head(q.size()))) / largest(jacobian.cwiseAbs() * q.cwiseAbs());
    if ((off < near || shortenings == 0) && solve()) return true;
    if (shortenings == 0 || !solve_position(shorter * h, q, p_free, jacobian, shortenings - 1, y)) return false;
    y.head(q.size()) = q + (y.head(q.size()) - q) / shorter;
    return solve();
  }

  /// Momentum equations of the head comment, at y = (p1, mu); p_kicked = p' - b h V_q(q1), jacobian1 = G(q1).
  StackedLinearisation momentum_at(const Vector& y, Real h, const Vector& p_kicked, const Matrix& jacobian1) const {
    const auto n = p_kicked.size(), d = jacobian1.rows();
    const Vector p1 = y.head(n);
    const Matrix rate = jacobian1 * problem_.inverse_mass;
    const Vector upper = p1 - p_kicked + h * (jacobian1.transpose() * y.tail(d));
    const Vector lower = rate * p1;

    StackedLinearisation at;
    at.residual = stack(upper, lower);
    at.relative =
        relative_residual(upper, largest(p_kicked) + largest(p1), lower, largest(rate.cwiseAbs() * p1.cwiseAbs()));
    at.jacobian.resize(n + d, n + d);
    at.jacobian.topLeftCorner(n, n).setIdentity();
    at.jacobian.topRightCorner(n, d) = h * jacobian1.transpose();
    at.jacobian.bottomLeftCorner(d, n) = rate;
    at.jacobian.bottomRightCorner(d, d).setZero();
    return at;
  }

  Problem problem_;
  bool unprojected_;
};

template <class Real>
Status ConstrainedStep<Real>::operator()(Real h, KickFractions kicks, Point& x) const {
  const Real before = kicks.before, after = kicks.after;
  const Matrix jacobian = constraint_jacobian(x.q);
  Vector p_free = x.p;
  if (before != 0) p_free -= before * h * potential_gradient(x.q);  // if 0, the gradient need not be finite
  const Vector q_free = x.q + h * (problem_.inverse_mass * p_free);
  if (!std::isfinite(q_free.squaredNorm())) return Status::not_finite;  // even if only its norm overflows

  Vector position(x.q.size() + jacobian.rows());
  if (!solve_position(h, x.q, p_free, jacobian, most_shortenings, position))
    return are_dependent<Real>(jacobian * problem_.inverse_mass * jacobian.transpose()) ? Status::singular
                                                                                        : Status::not_converged;
  const Vector q1 = position.head(x.q.size());
  const Vector p_moving = p_free - h * (jacobian.transpose() * position.tail(jacobian.rows()));

  const Matrix jacobian1 = constraint_jacobian(q1);
  const Vector p_kicked = p_moving - after * h * potential_gradient(q1);
  if (!p_kicked.allFinite()) return Status::not_finite;
  if (unprojected_) {
    x = {q1, p_kicked};
    return Status::ok;
  }
  Vector momentum = stack(p_kicked, Vector::Zero(jacobian.rows()));
  const auto momentum_equations = [&](const Vector& y) { return momentum_at(y, h, p_kicked, jacobian1); };
  if (!solve_dense_newton<Real, Eigen::Dynamic>(momentum_equations, momentum)) return Status::singular;

  x = {q1, momentum.head(x.q.size())};
  return Status::ok;
}

extern template class ConstrainedStep<double>;

}  // namespace polhode
