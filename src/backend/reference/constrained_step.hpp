// The step maps of a holonomically constrained system on its hidden-constraint manifold that are made of kicks and one
// constrained motion, solved the long way round: what the fast step maps are compared with. They share no code.
//
//   H(q, p) = 1/2 p^T W p + V(q),   0 = g(q),   G = Dg,   W = M^-1 constant
//
//   position   0 = q1 - q - h W p',   p' = p - a h V_q(q) - h G(q)^T lambda,   0 = g(q1)
//   momentum   0 = p1 - p' + b h V_q(q1) + h G(q1)^T mu,                       0 = G(q1) W p1
//
// * a = 1, b = 0: the first-order constraint algorithm, McLachlan & Scovel 1995, eqs. (2), (3), which is (9) seen on CM
// * a = 0, b = 1: its adjoint, eq. (10), which is (2) and (3) with (q, p) and (q1, p1) exchanged and -h for h
// * a = b = 1/2: RATTLE, eq. (11); Hairer 2003, eq. (5.2) in general form; Pierce 1994, eq. (16)
// * a = b = 1/2 without the equation for mu, p1 = p' - b h V_q(q1): SHAKE, Pierce 1994, eq. (15)
//
// All are symplectic; RATTLE is symmetric and of order 2, the others are of order 1. The multipliers' signs and factors
// are ours. Each line is one stacked system of N + D unknowns, (q1, lambda) and (p1, mu), for a dense Newton iteration.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/dense_newton.hpp"
#include "backend/reference/dependence.hpp"
#include "backend/reference/kick_fractions.hpp"
#include "polhode/method/status.hpp"

namespace polhode {

template <class Real, int N>
struct PhasePoint {
  Eigen::Vector<Real, N> q, p;
};

/// Problem has
///   static constexpr int N, D                 coordinates and constraints; Eigen::Dynamic if known only at run time
///   Matrix<Real, N, N> inverse_mass()         W
///   S potential(Vector<S, N> q)               V, for S = Real and std::complex<Real>
///   Vector<S, D> constraints(Vector<S, N> q)  g, likewise
/// V and g must be analytic (complex_step.hpp). Real is double or long double.
template <class Real, class Problem>
class ConstrainedStep {
 public:
  static constexpr int N = Problem::N;
  static constexpr int D = Problem::D;
  using Vector = Eigen::Vector<Real, N>;
  using ConstraintVector = Eigen::Vector<Real, D>;
  using ConstraintJacobian = Eigen::Matrix<Real, D, N>;
  using Point = PhasePoint<Real, N>;

  explicit ConstrainedStep(Problem problem, KickFractions kicks, bool unprojected = false)
      : problem_(std::move(problem)),
        inverse_mass_(problem_.inverse_mass()),
        before_(Real(kicks.before)),
        after_(Real(kicks.after)),
        unprojected_(unprojected) {}

  /// One step of length h, which may be negative. x is left alone unless the result is Status::ok.
  Status operator()(Real h, Point& x) const;

  Real energy(const Point& x) const { return x.p.dot(inverse_mass_ * x.p) / 2 + problem_.potential(x.q); }

  Vector potential_gradient(const Vector& q) const {
    const auto potential = [&](const auto& z) { return Eigen::Vector<std::complex<Real>, 1>(problem_.potential(z)); };
    return complex_step_jacobian<1>(potential, q).transpose();
  }

  /// g(q).
  ConstraintVector constraint(const Point& x) const { return problem_.constraints(x.q); }

  /// G(q) W p, the rate of change of g.
  ConstraintVector hidden_constraint(const Point& x) const { return constraint_jacobian(x.q) * (inverse_mass_ * x.p); }

  /// The momentum p - G^T lambda with G W p = 0, and the one with G p = 0 (psi of McLachlan & Scovel 1995).
  Vector to_hidden_constraint(const Point& x) const { return without_component(x, inverse_mass_); }
  Vector to_tangent(const Point& x) const {
    return without_component(x, Eigen::Matrix<Real, N, N>::Identity(x.q.size(), x.q.size()));
  }

 private:
  static constexpr int size = N == Eigen::Dynamic || D == Eigen::Dynamic ? int(Eigen::Dynamic) : N + D;
  using Stacked = Eigen::Vector<Real, size>;
  using StackedLinearisation = Linearisation<Real, size>;

  ConstraintJacobian constraint_jacobian(const Vector& q) const {
    return complex_step_jacobian<D>([&](const auto& z) { return problem_.constraints(z); }, q);
  }

  Vector without_component(const Point& x, const Eigen::Matrix<Real, N, N>& metric) const {
    const ConstraintJacobian G = constraint_jacobian(x.q);
    const Eigen::Matrix<Real, D, D> matrix = G * metric * G.transpose();
    const ConstraintVector lambda = matrix.fullPivLu().solve(G * (metric * x.p));
    return x.p - G.transpose() * lambda;
  }

  static Stacked stack(const Vector& upper, const ConstraintVector& lower) {
    Stacked y(upper.size() + lower.size());
    y << upper, lower;
    return y;
  }

  template <class V>
  static Real largest(const V& v) {
    return v.template lpNorm<Eigen::Infinity>();
  }

  /// Largest residual of the two blocks, each over the size of the terms it is the difference of.
  static Real relative_residual(const Vector& upper, Real upper_size, const ConstraintVector& lower, Real lower_size) {
    constexpr Real tiny = std::numeric_limits<Real>::min();  // a system at rest has only zeros: 0 / tiny = 0
    return std::max(largest(upper) / (upper_size + tiny), largest(lower) / (lower_size + tiny));
  }

  /// The position line at y = (q1, lambda); p_free = p - a h V_q(q), jacobian = G(q).
  StackedLinearisation position_at(const Stacked& y, Real h, const Vector& q, const Vector& p_free,
                                   const ConstraintJacobian& jacobian) const {
    const auto n = q.size(), d = jacobian.rows();
    const Vector q1 = y.head(n);
    const ConstraintJacobian jacobian1 = constraint_jacobian(q1);
    const Vector move = h * (inverse_mass_ * (p_free - h * (jacobian.transpose() * y.tail(d))));
    const Vector upper = q1 - q - move;
    const ConstraintVector lower = problem_.constraints(q1);

    StackedLinearisation at;
    at.residual = stack(upper, lower);
    at.relative =
        relative_residual(upper, largest(q) + largest(move), lower, largest(jacobian1.cwiseAbs() * q1.cwiseAbs()));
    at.jacobian.resize(n + d, n + d);
    at.jacobian.topLeftCorner(n, n).setIdentity();
    at.jacobian.topRightCorner(n, d) = h * h * (inverse_mass_ * jacobian.transpose());
    at.jacobian.bottomLeftCorner(d, n) = jacobian1;
    at.jacobian.bottomRightCorner(d, d).setZero();
    return at;
  }

  /// The momentum line at y = (p1, mu); p_kicked = p' - b h V_q(q1), jacobian1 = G(q1).
  StackedLinearisation momentum_at(const Stacked& y, Real h, const Vector& p_kicked,
                                   const ConstraintJacobian& jacobian1) const {
    const auto n = p_kicked.size(), d = jacobian1.rows();
    const Vector p1 = y.head(n);
    const ConstraintJacobian rate = jacobian1 * inverse_mass_;
    const Vector upper = p1 - p_kicked + h * (jacobian1.transpose() * y.tail(d));
    const ConstraintVector lower = rate * p1;

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
  Eigen::Matrix<Real, N, N> inverse_mass_;
  Real before_, after_;
  bool unprojected_;
};

template <class Real, class Problem>
Status ConstrainedStep<Real, Problem>::operator()(Real h, Point& x) const {
  const ConstraintJacobian jacobian = constraint_jacobian(x.q);
  Vector p_free = x.p;
  if (before_ != 0) p_free -= before_ * h * potential_gradient(x.q);  // which need not be finite where it does nothing
  const Vector q_free = x.q + h * (inverse_mass_ * p_free);
  if (!std::isfinite(q_free.squaredNorm())) return Status::not_finite;  // or its length could not be told

  // From the free step Newton finds the root that continues q1 = q as h grows from 0.
  Stacked position = stack(q_free, ConstraintVector::Zero(jacobian.rows()));
  const auto position_equations = [&](const Stacked& y) { return position_at(y, h, x.q, p_free, jacobian); };
  if (!solve_dense_newton<Real, size>(position_equations, position))
    return are_dependent<Real, D>(jacobian * inverse_mass_ * jacobian.transpose()) ? Status::singular
                                                                                   : Status::not_converged;
  const Vector q1 = position.head(x.q.size());
  const Vector p_moving = p_free - h * (jacobian.transpose() * position.tail(jacobian.rows()));

  const ConstraintJacobian jacobian1 = constraint_jacobian(q1);
  const Vector p_kicked = p_moving - after_ * h * potential_gradient(q1);
  if (!p_kicked.allFinite()) return Status::not_finite;
  if (unprojected_) {
    x = {q1, p_kicked};
    return Status::ok;
  }
  Stacked momentum = stack(p_kicked, ConstraintVector::Zero(jacobian.rows()));
  const auto momentum_equations = [&](const Stacked& y) { return momentum_at(y, h, p_kicked, jacobian1); };
  if (!solve_dense_newton<Real, size>(momentum_equations, momentum)) return Status::singular;

  x = {q1, momentum.head(x.q.size())};
  return Status::ok;
}

}  // namespace polhode
