// Systems (variational_problem.hpp) by their values alone: derivatives of polynomials by differences that are exact.
// And one whose mass, linear term and constraints are no simpler than (4.1) allows.
#pragma once

#include <Eigen/Dense>
#include <memory>

#include "papers/variational_layer.hpp"
#include "papers/variational_problem.hpp"
#include "papers/variational_problems.hpp"

namespace polhode::test {

/// The derivative of f at x along u: exact for polynomials up to degree 4.
template <class Function, class Vector>
auto polynomial_derivative(const Function& f, const Vector& x, const Vector& u) {
  using Value = decltype(f(x));
  const Value near = f(Vector(x + u)) - f(Vector(x - u)), far = f(Vector(x + 2. * u)) - f(Vector(x - 2. * u));
  return Value((8. * near - far) / 12.);
}

/// Equations of a struct Values with templates mass(q), linear(q), potential(q), constraints(q).
template <class Values>
struct EquationsOfValues : Values {
  using Values::d;
  using Values::N;
  template <class S>
  using Vector = Eigen::VectorX<S>;

  template <class S>
  Vector<S> mass_times(const Vector<S>& q, const Vector<S>& u) const {
    return Values::template mass<S>(q).lazyProduct(u);
  }
  template <class S>
  Vector<S> force(const Vector<S>& q, const Vector<S>& v) const {
    const auto momentum = [&](const Vector<S>& x) -> Vector<S> {
      return mass_times<S>(x, v) + Values::template linear<S>(x);
    };
    const auto lagrangian = [&](const Vector<S>& x) -> S {
      const Vector<S> half = mass_times<S>(x, v) / 2. + Values::template linear<S>(x);
      return (v.array() * half.array()).sum() - Values::template potential<S>(x);
    };
    Vector<S> f = -polynomial_derivative(momentum, q, v);
    for (int i = 0; i < N; ++i) f[i] += polynomial_derivative(lagrangian, q, Vector<S>(Vector<S>::Unit(N, i)));
    return f;
  }
  template <class S>
  Eigen::MatrixX<S> jacobian(const Vector<S>& q) const {
    Eigen::MatrixX<S> rows(d, N);
    for (int i = 0; i < N; ++i) rows.col(i) = constraints_along<S>(q, Vector<S>::Unit(N, i));
    return rows;
  }
  template <class S>
  Vector<S> curvature(const Vector<S>& q, const Vector<S>& v) const {
    const auto rate = [&](const Vector<S>& x) { return constraints_along<S>(x, v); };
    return polynomial_derivative(rate, q, v);
  }
  Eigen::VectorXd constraints(const Eigen::VectorXd& q) const { return Values::template values<double>(q); }
  Eigen::MatrixXd hessian(const Eigen::VectorXd& q, const Eigen::VectorXd& theta) const {
    const auto gradient = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
      return jacobian<double>(x).transpose().lazyProduct(theta);
    };
    Eigen::MatrixXd matrix(N, N);
    for (int i = 0; i < N; ++i)
      matrix.col(i) = polynomial_derivative(gradient, q, Eigen::VectorXd(Eigen::VectorXd::Unit(N, i)));
    return matrix;
  }

 private:
  template <class S>
  Vector<S> constraints_along(const Vector<S>& q, const Vector<S>& u) const {
    return polynomial_derivative([this](const Vector<S>& x) { return Values::template values<S>(x); }, q, u);
  }
};

/// Four positions, two constraints of degrees 4 and 3.
struct BentValues {
  static constexpr int N = 4, d = 2;

  template <class S>
  Eigen::MatrixX<S> mass(const Eigen::VectorX<S>& q) const {
    Eigen::MatrixX<S> m(4, 4);
    m << 2. + q[0] * q[0], 0.3 * q[1], S(0.2), 0.1 * q[2] * q[3],  //
        0.3 * q[1], 3. + q[2] * q[2], 0.2 * q[0], S(0),            //
        S(0.2), 0.2 * q[0], 2.5 - 0.3 * q[3], 0.1 * q[0] * q[1],   //
        0.1 * q[2] * q[3], S(0), 0.1 * q[0] * q[1], 2. + 0.2 * q[1];
    return m;
  }
  template <class S>
  Eigen::VectorX<S> linear(const Eigen::VectorX<S>& q) const {
    return Eigen::Vector4<S>(-0.5 * q[1] * q[1], 0.4 * q[0] * q[2], 0.3 * q[3], 0.2 * q[0] * q[1] * q[2]);
  }
  template <class S>
  S potential(const Eigen::VectorX<S>& q) const {
    return q[2] + 0.3 * q[0] * q[1] + 0.2 * q[3] * q[3] * q[3] + 0.1 * q[0] * q[0] * q[2] * q[2];
  }
  template <class S>
  Eigen::VectorX<S> values(const Eigen::VectorX<S>& q) const {
    return Eigen::Vector2<S>(
        (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.) / 2. + 0.1 * q[0] * q[0] * q[1] * q[1],
        0.5 * q[0] - q[3] + 0.4 * q[1] * q[2] * q[2] + 0.2 * q[0] * q[0] * q[0]);
  }
};

inline VariationalCase bent_surface() {
  VariationalCase of{
      "bent surface",
      std::make_shared<ConstrainedLagrangianOf<EquationsOfValues<BentValues>>>(EquationsOfValues<BentValues>{}),
      {},
      {}};
  of.q = project_point(*of.problem, Eigen::Vector4d(.6, .3, -.7, .3)).q;
  of.v = tangential_part(*of.problem, of.q, Eigen::Vector4d(.4, -.5, .3, .2));
  return of;
}

}  // namespace polhode::test
