// One trajectory of a canonical mechanical system by a map that a generating function makes
// (polhode/method/generating_functions.hpp has the functions), from values of W p and V alone. The functions themselves
// are evaluated at complex arguments, with derivatives of V and of the functions from circles, and the implicit
// equations are solved by Newton's method.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "backend/reference/circle_derivatives.hpp"
#include "backend/reference/complex_step.hpp"
#include "backend/reference/dense_newton.hpp"
#include "backend/reference/motion.hpp"
#include "backend/reference/reference_method.hpp"
#include "backend/reference/system_values.hpp"

namespace polhode {

class GeneratedMotion final : public CloneableMotion<GeneratedMotion> {
 public:
  GeneratedMotion(MechanicalValues values, const ReferenceMethod& method)
      : values_(std::move(values)),
        N_(values_.N),
        W_(N_, N_),
        kind_(kind_of(method.choice("kind"))),
        order_(method.integer("order")) {
    for (int j = 0; j < N_; ++j) {
      const Vector e = Vector::Unit(N_, j);
      values_.velocity(e.data(), W_.col(j).data());
    }
  }

  void set_state(const double* x) override { state_ = Eigen::Map<const Vector>(x, 2 * N_); }
  const double* state() const override { return state_.data(); }

  Status advance(double h, KickFractions) override {
    if (kind_ == Kind::first && h == 0) return Status::no_generating_function;
    const Vector q = state_.head(N_), p = state_.tail(N_), moved = q + h * (W_ * p);
    if (!moved.allFinite()) return Status::not_finite;
    Vector q1, p1;
    if (kind_ == Kind::poincare) {
      Vector middle(2 * N_);
      middle << (q + moved) / 2, p;
      const auto move = [&](const Vector& at) { return midpoint_move(at, h); };
      if (!solve([&](const Vector& at) { return Vector(at - state_ - move(at) / 2); }, middle))
        return Status::not_converged;
      const Vector end = state_ + move(middle);
      q1 = end.head(N_);
      p1 = end.tail(N_);
    } else if (kind_ == Kind::first) {
      q1 = moved;
      const auto equation = [&](const Vector& at) {
        return Vector(at - q - h * (W_ * (p + action_gradient(q, at, h, true))));
      };
      if (!solve(equation, q1)) return Status::not_converged;
      p1 = p + action_gradient(q, q1, h, true) + action_gradient(q, q1, h, false);
    } else {
      q1 = moved;
      const auto equation = [&](const Vector& at) {
        return Vector(at - q - h * (W_ * p) - second_gradient(p, at, h).head(N_));
      };
      if (!solve(equation, q1)) return Status::not_converged;
      p1 = p - h * real_potential_gradient(q1) - second_gradient(p, q1, h).tail(N_);
    }
    if (!q1.allFinite() || !p1.allFinite()) return Status::not_finite;
    state_ << q1, p1;
    return Status::ok;
  }

 private:
  enum class Kind { first, second, poincare };

  /// Kind with this name in configurations; throws std::invalid_argument if there is none.
  static Kind kind_of(std::string_view name) {
    if (name == "1") return Kind::first;
    if (name == "2") return Kind::second;
    if (name != "poincare") refuse_method();
    return Kind::poincare;
  }

  using Vector = Eigen::VectorXd;
  using ComplexVector = Eigen::VectorXcd;

  /// Improves y to a zero of equation(y), whose terms have the size of y, by Newton's method; returns false if it finds
  /// none.
  template <class Equation>
  static bool solve(const Equation& equation, Vector& y) {
    // One Jacobian, by differences, is enough: it is the identity up to terms of order h^2.
    const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * (1 + size(y));
    const Vector value = equation(y);
    Eigen::MatrixXd jacobian(y.size(), y.size());
    for (int k = 0; k < y.size(); ++k)
      jacobian.col(k) = (equation(y + step * Vector::Unit(y.size(), k)) - value) / step;
    const auto linearised = [&](const Vector& at) {
      const Vector residual = equation(at);
      return Linearisation<double, Eigen::Dynamic>{residual, jacobian,
                                                   size(residual) / (size(at) + std::numeric_limits<double>::min())};
    };
    return solve_dense_newton<double, Eigen::Dynamic>(linearised, y);
  }
  static double size(const Vector& v) { return v.lpNorm<Eigen::Infinity>(); }

  /// Gradient at x of an analytic function f of complex vectors. sizes[k]: scale of x[k], which determines the radius
  /// of the circle.
  template <class Function>
  static Vector gradient(const Function& f, const Vector& x, const Vector& sizes) {
    Vector derivative(x.size());
    ComplexVector z = x.cast<Complex>();
    for (int k = 0; k < x.size(); ++k) {
      const auto along = [&](const Complex& step) {
        z[k] = x[k] + step;
        return f(z);
      };
      derivative[k] = circle_slope(along, radius(sizes[k]));
      z[k] = x[k];
    }
    return derivative;
  }
  static double radius(double size) { return size > 0 ? size / 16 : 1; }

  /// Gradient of V at a real position.
  Vector real_potential_gradient(const Vector& q) const {
    const auto potential = [&](const auto& z) { return Eigen::Vector<Complex, 1>(values_.potential(z.data())); };
    return complex_step_jacobian<1>(potential, q).transpose();
  }

  /// d^k/dt^k V(q + t u) at t = 0, k = 0, ..., order, at a complex position q.
  template <int order>
  std::array<Complex, order + 1> along(const ComplexVector& q, const ComplexVector& u) const {
    const double length = u.norm();
    if (length == 0) return {values_.potential(q.data())};
    const auto potential = [&](const Complex& step) {
      const ComplexVector at = q + step * u;
      return values_.potential(at.data());
    };
    return circle_derivatives<order>(potential, radius(q.norm()) / length);
  }
  /// Gradient of V at a complex position.
  ComplexVector potential_gradient(const ComplexVector& q) const {
    ComplexVector derivative(N_);
    for (int k = 0; k < N_; ++k) derivative[k] = along<1>(q, ComplexVector::Unit(N_, k))[1];
    return derivative;
  }
  /// The bilinear product: Eigen's dot conjugates.
  static Complex product(const ComplexVector& a, const ComplexVector& b) { return (a.transpose() * b)(0); }

  /// Terms of order h^2 and higher of the generating function F(p, Q) of the second kind, at the momentum p of the
  /// start and the position q of the end.
  Complex second(const ComplexVector& p, const ComplexVector& q, double h) const {
    const ComplexVector v = W_ * p;
    const auto V = along<3>(q, v);
    Complex F = 0;
    if (order_ >= 2) F -= h * h / 2 * V[1];
    if (order_ < 3) return F;
    const ComplexVector slope = potential_gradient(q), w = W_ * slope;
    F += h * h * h / 6 * (product(slope, w) + V[2]);
    if (order_ < 4) return F;
    const Complex mixed = (along<2>(q, v + w)[2] - along<2>(q, v - w)[2]) / 4.0;
    return F - h * h * h * h * (5.0 / 24 * mixed + V[3] / 24.0);
  }
  /// Gradient of second() by (p, q).
  Vector second_gradient(const Vector& p, const Vector& q, double h) const {
    Vector x(2 * N_), sizes(2 * N_);
    x << p, q;
    sizes << Vector::Constant(N_, p.norm()), Vector::Constant(N_, q.norm());
    return gradient([&](const ComplexVector& z) { return second(z.head(N_), z.tail(N_), h); }, x, sizes);
  }

  /// Gauss's quadrature on (0, 1): nodes and weights from the eigenvalues and eigenvectors of Jacobi's matrix (Golub &
  /// Welsch 1969); double_weights[i, j], the integral of min(s, t) (1 - max(s, t)) l_i(s) l_j(t) with Lagrange's
  /// polynomials l_i.
  struct Quadrature {
    explicit Quadrature(int n) {
      Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(n, n);
      for (int k = 1; k < n; ++k) jacobi(k - 1, k) = jacobi(k, k - 1) = k / std::sqrt(4.0 * k * k - 1);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(jacobi);
      nodes = (solver.eigenvalues().array() + 1) / 2;
      weights = solver.eigenvectors().row(0).array().square();
      // The kernel is Green's function of -u'' = f, u(0) = u(1) = 0. Of f = x^k it is u = (x - x^(k + 2)) / ((k + 1) (k
      // + 2)).
      const Eigen::MatrixXd coefficients = powers_at(nodes, n).inverse();  // [k, j] of x^k in the j-th polynomial
      Eigen::MatrixXd of_powers(n, n);                                     // [l, k]: integral of x^l u_k
      for (int l = 0; l < n; ++l)
        for (int k = 0; k < n; ++k) of_powers(l, k) = (1.0 / (l + 2) - 1.0 / (l + k + 3)) / ((k + 1) * (k + 2));
      double_weights = coefficients.transpose() * of_powers * coefficients;
    }
    static Eigen::MatrixXd powers_at(const Vector& x, int n) {
      Eigen::MatrixXd powers(x.size(), n);
      for (int k = 0; k < n; ++k) powers.col(k) = x.array().pow(k);
      return powers;
    }
    Vector nodes, weights;
    Eigen::MatrixXd double_weights;
  };

  /// Terms h S1 + h^3 S3 of the generating function of the first kind, the latter only for order 4.
  Complex action(const ComplexVector& start, const ComplexVector& end, double h) const {
    const auto n = quadrature_.nodes.size();
    Complex S = 0;
    Eigen::MatrixXcd slopes(N_, n);
    for (int i = 0; i < n; ++i) {
      const ComplexVector at = start + quadrature_.nodes[i] * (end - start);
      S -= h * quadrature_.weights[i] * values_.potential(at.data());
      if (order_ == 4) slopes.col(i) = potential_gradient(at);
    }
    if (order_ < 4) return S;
    const Eigen::MatrixXcd products = slopes.transpose() * W_ * slopes;
    return S - h * h * h / 2 * products.cwiseProduct(quadrature_.double_weights).sum();
  }
  /// Gradient of action() by `start` if by_start, else by `end`.
  Vector action_gradient(const Vector& start, const Vector& end, double h, bool by_start) const {
    const double length = std::min(start.norm(), end.norm());
    const ComplexVector from = start.cast<Complex>(), to = end.cast<Complex>();
    const auto moving = [&](const ComplexVector& z) { return by_start ? action(z, to, h) : action(from, z, h); };
    return gradient(moving, by_start ? start : end, Vector::Constant(N_, length));
  }

  /// Move (F_p, -F_q) by Poincare's generating function F, at the midpoint `at` = (q, p).
  Vector midpoint_move(const Vector& at, double h) const {
    const Vector q = at.head(N_), p = at.tail(N_);
    Vector move(2 * N_);
    move << h * (W_ * p), -h * real_potential_gradient(q);
    if (order_ < 4) return move;
    const auto term = [&](const ComplexVector& z) {
      const ComplexVector position = z.head(N_), slope = potential_gradient(position);
      return h * h * h / 24 * (along<2>(position, W_ * z.tail(N_))[2] + product(slope, W_ * slope));
    };
    Vector sizes(2 * N_);
    sizes << Vector::Constant(N_, q.norm()), Vector::Constant(N_, p.norm());
    const Vector slopes = gradient(term, at, sizes);
    move.head(N_) += slopes.tail(N_);
    move.tail(N_) -= slopes.head(N_);
    return move;
  }

  MechanicalValues values_;
  int N_;
  Eigen::MatrixXd W_;
  Kind kind_;
  int order_;
  Quadrature quadrature_{3};
  Vector state_;  ///< q, p
};

}  // namespace polhode
