// The derivatives of H and g of a constrained Hamiltonian system from their values, by the complex step, and equations
// with them, solved by Newton's method with a Jacobian from differences.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "backend/reference/complex_step.hpp"
#include "backend/reference/dense_newton.hpp"
#include "backend/reference/system_values.hpp"
#include "polhode/method/status.hpp"

namespace polhode {

class HamiltonianEquations {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  explicit HamiltonianEquations(HamiltonianValues values) : N(values.N), D(values.D), values_(std::move(values)) {}

  int N, D;

  Vector velocity(const Vector& q, const Vector& p) const {
    const Eigen::VectorXcd fixed = q.cast<Complex>();
    return gradient([&](const auto& z) { return values_.hamiltonian(fixed.data(), z.data()); }, p);
  }
  Vector position_gradient(const Vector& q, const Vector& p) const {
    const Eigen::VectorXcd fixed = p.cast<Complex>();
    return gradient([&](const auto& z) { return values_.hamiltonian(z.data(), fixed.data()); }, q);
  }
  Vector constraints(const Vector& q) const { return complex_constraints(q.cast<Complex>()).real(); }
  /// G = Dg(q).
  Matrix jacobian(const Vector& q) const {
    return complex_step_jacobian<Eigen::Dynamic>([&](const auto& z) { return complex_constraints(z); }, q);
  }

  static double size(const Vector& v) { return v.lpNorm<Eigen::Infinity>(); }
  /// Size of the residual v over the size of the terms that cancel in it; 0 where both are 0, as in a system at rest.
  static double relative(const Vector& v, double terms) {
    return size(v) / (terms + std::numeric_limits<double>::min());
  }
  /// Size of g(q) relative to that of the terms that cancel in it.
  double relative_constraints(const Vector& q) const {
    return relative(constraints(q), size(jacobian(q).cwiseAbs() * q.cwiseAbs()));
  }

  /// F(y), and its largest entry relative to the size of the terms that cancel in it.
  struct Residual {
    Vector value;
    double relative;
  };

  /// Improves y to a zero of F by Newton's method, with a Jacobian by differences; returns false if it finds none.
  /// equations(y): Residual of F at y.
  template <class Equations>
  static bool solve(const Equations& equations, Vector& y) {
    const auto linearised = [&](const Vector& at) {
      const Residual here = equations(at);
      Linearisation<double, Eigen::Dynamic> result{here.value, Matrix(at.size(), at.size()), here.relative};
      const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * (1 + size(at));
      for (int k = 0; k < at.size(); ++k) {
        const Vector e = step * Vector::Unit(at.size(), k);
        result.jacobian.col(k) = (equations(at + e).value - equations(at - e).value) / (2 * step);
      }
      return result;
    };
    return solve_dense_newton<double, Eigen::Dynamic>(linearised, y);
  }

  /// Replaces p by the p1 with 0 = p1 - p + h G(q)^T mu, 0 = G(q) H_p(q, p1); leaves p as it is unless the result is
  /// Status::ok.
  Status project(double h, const Vector& q, Vector& p) const {
    Vector unknown(N + D);  // p1, mu
    unknown << p, Vector::Zero(D);
    const Matrix G = jacobian(q);
    const auto equations = [&](const Vector& y) { return momentum_at(y, h, q, p, G); };
    if (!solve(equations, unknown)) return failure(G);
    p = unknown.head(N);
    return Status::ok;
  }

  /// Status for equations that have no solution: singular if the constraints with the Jacobian G are dependent, else
  /// not_converged.
  static Status failure(const Matrix& G) {
    return are_dependent<double>(G * G.transpose()) ? Status::singular : Status::not_converged;
  }
  /// Status for a start from which the free step is not finite: singular if the constraints with the Jacobian G are
  /// dependent, where velocities may be infinite, else not_finite.
  static Status failure_of_free_step(const Matrix& G) {
    return failure(G) == Status::singular ? Status::singular : Status::not_finite;
  }

 private:
  Residual momentum_at(const Vector& y, double h, const Vector& q, const Vector& p, const Matrix& G) const {
    const Vector p1 = y.head(N), force = h * (G.transpose() * y.tail(D)), v = velocity(q, p1);
    const Vector first = p1 - p + force, second = G * v;
    Vector value(N + D);
    value << first, second;
    return {value, std::max(relative(first, size(p1) + size(p) + size(force)),
                            relative(second, size(G.cwiseAbs() * v.cwiseAbs())))};
  }

  template <class Function>
  static Vector gradient(const Function& f, const Vector& x) {
    return complex_step_jacobian<1>([&](const auto& z) { return Eigen::Vector<Complex, 1>(f(z)); }, x).transpose();
  }
  Eigen::VectorXcd complex_constraints(const Eigen::VectorXcd& q) const {
    Eigen::VectorXcd g(D);
    values_.constraints(q.data(), g.data());
    return g;
  }

  HamiltonianValues values_;
};

}  // namespace polhode
