// One trajectory of a system that is reduced by its cyclic coordinate, as the projection of the unreduced discrete
// motion (Jalnapurkar, Leok, Marsden & West 2006, sect. 2): in the coordinates (x, theta), with the discrete Lagrangian
// L_d and the momenta (p, mu),
//
//   p = -D1 L_d(x, x1, turn),   mu = D3 L_d(x, x1, turn),   p1 = D2 L_d(x, x1, turn)
//
// solved together by Newton's method. From values of L_d alone; derivatives by the complex step. The momentum p is
// retained from step to step, and s = p - mu A(x) is read off.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <utility>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/cyclic_values.hpp"
#include "backend/reference/dense_newton.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/reference_method.hpp"

namespace polhode {

class DiscreteRouthMotion final : public CloneableMotion<DiscreteRouthMotion> {
 public:
  DiscreteRouthMotion(CyclicValues values, double mu, const ReferenceMethod& method)
      : values_(std::move(values)), n_(values_.n), mu_(mu), has_own_action_(method.choice("lagrangian") == "own") {
    if (!has_own_action_ && method.choice("lagrangian") != "midpoint") refuse_method();
  }

  void set_state(const double* x) override {
    state_ = Eigen::Map<const Vector>(x, 2 * n_ + 1);
    momentum_ = state_.segment(n_, n_) + shift(state_.head(n_));
  }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions) override {
    const Vector x = state_.head(n_);
    Vector end(n_ + 1);  // x1, turn
    end << x, 0;
    if (!residual(x, end, h).allFinite()) return Status::not_finite;
    if (!solve([&](const Vector& at) { return residual(x, at, h); }, end)) return Status::not_converged;
    const Vector x1 = end.head(n_);
    // D2 L_d = -D1 L_d + (D1 L_d + D2 L_d), in which terms of size 1/h do not cancel.
    const auto shifted = [&](const ComplexVector& by) { return action(x + by, x1 + by, end[n_], h); };
    const Vector p1 = momentum_ + slope(shifted, Vector::Zero(n_));
    const Vector s1 = p1 - shift(x1);
    if (!s1.allFinite()) return Status::not_finite;
    momentum_ = p1;
    state_ << x1, s1, state_[2 * n_] + end[n_];
    return Status::ok;
  }

 private:
  using Vector = Eigen::VectorXd;
  using ComplexVector = Eigen::VectorXcd;

  /// Residual of the equations at end = (x1, turn): p + D1 L_d, then mu - D3 L_d.
  Vector residual(const Vector& x, const Vector& end, double h) const {
    const auto moving = [&](const ComplexVector& z) { return action(z.head(n_), end.head(n_), z[n_], h); };
    Vector at(n_ + 1), value(n_ + 1);
    at << x, end[n_];
    const Vector slopes = slope(moving, at);
    value << momentum_ + slopes.head(n_), mu_ - slopes[n_];
    return value;
  }

  /// Discrete Lagrangian L_d(x0, x1, turn) of a step h.
  Complex action(const ComplexVector& x0, const ComplexVector& x1, Complex turn, double h) const {
    if (has_own_action_) return values_.discrete_lagrangian(x0.data(), x1.data(), turn, h);
    const ComplexVector at = metric((x0 + x1) / 2), v = (x1 - x0) / h;
    const Complex vertical = turn / h + product(at.segment(n_ * n_, n_), v), inertia = at[n_ * n_ + n_];
    const ComplexVector s = Eigen::Map<const Eigen::MatrixXcd>(at.data(), n_, n_) * v;
    return h * ((product(v, s) + inertia * vertical * vertical) / 2.0 - at[n_ * n_ + n_ + 1]);
  }
  /// The bilinear product: Eigen's dot conjugates.
  static Complex product(const ComplexVector& a, const ComplexVector& b) { return (a.transpose() * b)(0); }

  /// Metric at x in one vector: M_hor row by row, A, the inertia I and the potential V (CyclicValues::metric). All are
  /// NaN where x is outside the domain of the coordinates: square roots of negative numbers have made values imaginary.
  ComplexVector metric(const ComplexVector& x) const {
    ComplexVector values(values_.count());
    values_.metric(x.data(), values.data());
    if (values.imag().norm() > 1e-50 * values.real().norm()) values.setConstant(std::nan(""));
    return values;
  }
  /// mu A(x), the difference of p and s.
  Vector shift(const Vector& x) const { return mu_ * metric(x.cast<Complex>()).segment(n_ * n_, n_).real(); }

  template <class Function>
  static Vector slope(const Function& f, const Vector& x) {
    return complex_step_jacobian<1>([&](const auto& z) { return Eigen::Vector<Complex, 1>(f(z)); }, x).transpose();
  }

  /// Improves y to a zero of equation(y) by Newton's method; returns false if it finds none.
  template <class Equation>
  static bool solve(const Equation& equation, Vector& y) {
    const auto linearised = [&](const Vector& at) {
      const auto n = at.size();
      Linearisation<double, Eigen::Dynamic> result{equation(at), Eigen::MatrixXd(n, n), 0};
      for (int k = 0; k < n; ++k) {
        const Vector e = std::cbrt(std::numeric_limits<double>::epsilon()) * Vector::Unit(n, k);
        result.jacobian.col(k) = (equation(at + e) - equation(at - e)) / (2 * e[k]);
      }
      // Terms of L_d of this size, the velocities, are differences of positions.
      const double size = (result.jacobian.cwiseAbs() * at.cwiseAbs()).maxCoeff();
      result.relative = result.residual.lpNorm<Eigen::Infinity>() / (size + std::numeric_limits<double>::min());
      return result;
    };
    return solve_dense_newton<double, Eigen::Dynamic>(linearised, y);
  }

  CyclicValues values_;
  int n_;
  double mu_;
  bool has_own_action_;  ///< whether the discrete Lagrangian is the system's own, not the midpoint rule's
  Vector state_;         ///< x, s, theta
  Vector momentum_;      ///< p
};

}  // namespace polhode
