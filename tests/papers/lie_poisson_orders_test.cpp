// Lie-Poisson maps on so(3)* by generating functions of any order (Channell & Scovel 1991; McLachlan & Scovel 1995,
// sect. 1): the power series of the generating function by its recursion, beyond the orders that the program has.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <cmath>

#include "backend/reference/dense_newton.hpp"
#include "backend/reference/lie_poisson_action.hpp"
#include "polhode/math/vec.hpp"
#include "polhode/scalar/dual.hpp"

namespace polhode::test {
namespace {

using Vector = Eigen::Vector3d;
const Vector inertia(1, 2, 3), start(0.6, 0.5, 0.4);

template <class S>
Vec<S, 3> velocity(const Vec<S, 3>& pi) {
  return {S(1 / inertia[0]) * pi[0], S(1 / inertia[1]) * pi[1], S(1 / inertia[2]) * pi[2]};
}

/// S_k of lie_poisson_action.hpp with kappa = 1. H is of degree 2: k S_k = -sum of Pi_i . Omega_j / 2 over i + j = k
/// - 1.
template <int k, class S>
S term(const Vec<S, 3>& xi);

/// Derivative of S_k.
template <int k, class S>
Vec<S, 3> gradient(const Vec<S, 3>& xi) {
  using Along = Dual<S, 3>;
  const Along value =
      term<k>(Vec<Along, 3>{Along::variable(xi[0], 0), Along::variable(xi[1], 1), Along::variable(xi[2], 2)});
  return {value.tangent[0], value.tangent[1], value.tangent[2]};
}

/// Pi_0 to Pi_j.
template <int j, class S>
void fill_momenta(const Vec<S, 3>& xi, const DerivativeOfExp<S>& derivative, Vec<S, 3>* pi) {
  if constexpr (j > 0) fill_momenta<j - 1>(xi, derivative, pi);
  pi[j] = derivative.solve(-gradient<j>(xi));
}

template <int k, class S>
S term(const Vec<S, 3>& xi) {
  if constexpr (k == 0) {
    return S(0.5) * dot(xi, xi);
  } else {
    Vec<S, 3> pi[k];
    fill_momenta<k - 1>(xi, DerivativeOfExp<S>(xi), pi);
    S sum(0.0);
    for (int i = 0; i < k; ++i) sum = sum + dot(pi[i], velocity(pi[k - 1 - i]));
    return S(-0.5 / k) * sum;
  }
}

/// B(xi) Pi + dS up to h^order.
template <int order, class S>
Vec<S, 3> equation(const Vec<S, 3>& xi, const Vector& pi, double h) {
  if constexpr (order == 0)
    return DerivativeOfExp<S>(xi)({S(pi[0]), S(pi[1]), S(pi[2])}) + gradient<0>(xi);
  else
    return equation<order - 1>(xi, pi, h) + S(std::pow(h, order)) * gradient<order>(xi);
}

template <int order>
Vector step(const Vector& pi, double h) {
  using Along = Dual<double, 3>;
  Vector xi = -pi;
  const auto equations = [&](const Vector& y) {
    const Vec<double, 3> residual = equation<order>(Vec<double, 3>{y[0], y[1], y[2]}, pi, h);
    const Vec<Along, 3> first =
        equation<1>(Vec<Along, 3>{Along::variable(y[0], 0), Along::variable(y[1], 1), Along::variable(y[2], 2)}, pi, h);
    Linearisation<double, 3> at;
    for (int i = 0; i < 3; ++i) {
      at.residual[i] = residual[i];
      for (int k = 0; k < 3; ++k) at.jacobian(i, k) = first[i].tangent[k];
    }
    at.relative = at.residual.norm() / (pi.norm() + y.norm());
    return at;
  };
  EXPECT_TRUE((solve_dense_newton<double, 3>(equations, xi)));
  return Eigen::AngleAxisd(xi.norm(), xi.normalized()) * pi;
}

template <int order>
Vector after(double time, int steps) {
  Vector pi = start;
  for (int n = 0; n < steps; ++n) pi = step<order>(pi, time / steps);
  return pi;
}

/// The exact motion at t = 1, by 2000 steps of the classical Runge-Kutta method.
Vector exact() {
  const double h = 1. / 2000;
  const auto f = [](const Vector& at) -> Vector { return at.cross(at.cwiseQuotient(inertia)); };
  Vector pi = start;
  for (int n = 0; n < 2000; ++n) {
    const Vector a = f(pi), b = f(pi + h / 2 * a), c = f(pi + h / 2 * b), d = f(pi + h * c);
    pi += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return pi;
}

/// States of orders 2 and 3 that were computed with 40 digits, as in lie_poisson_test.cpp.
TEST(GeneratingFunctionOfAnyOrder, IsTheOneOfLowOrders) {
  const Vector second(0.57010789502412814293, 0.62333358112632176445, 0.23755469827261453017),
      third(0.57003766038635943001, 0.62482208087550169356, 0.23378287574511006057);
  EXPECT_LT((after<2>(1, 10) - second).norm(), 2e-15);
  EXPECT_LT((after<3>(1, 10) - third).norm(), 2e-15);
}

/// The next terms in the step add .07 and .12.
TEST(GeneratingFunctionOfAnyOrder, HasOrders4And5) {
  const Vector at_1 = exact();
  const auto order = [&](const Vector& coarse, const Vector& fine) {
    return std::log2((coarse - at_1).norm() / (fine - at_1).norm());
  };
  EXPECT_NEAR(order(after<4>(1, 10), after<4>(1, 20)), 4, 0.15);
  EXPECT_NEAR(order(after<5>(1, 5), after<5>(1, 10)), 5, 0.25);
}

/// |J hat(Pi) J^T - hat(Pi')| with the Jacobian by differences, whose error is 1e-10.
template <class F>
double poisson_defect(const F& map) {
  const auto hat = [](const Vector& v) {
    Eigen::Matrix3d m;
    m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
    return m;
  };
  const Eigen::MatrixXd jacobian = difference_jacobian(
      [&](const Eigen::VectorXd& at) { return Eigen::VectorXd(map(Vector(at))); }, Eigen::VectorXd(start));
  return (jacobian * hat(start) * jacobian.transpose() - hat(map(start))).cwiseAbs().maxCoeff();
}
TEST(GeneratingFunctionOfAnyOrder, GivesAPoissonMap) {
  EXPECT_LT(poisson_defect([](const Vector& pi) { return step<4>(pi, 0.2); }), 1e-9);
  // A rotation that no generating function gives.
  EXPECT_GT(poisson_defect([](const Vector& pi) -> Vector {
              const Vector turn = -0.2 * pi.cwiseQuotient(inertia);
              return Eigen::AngleAxisd(turn.norm(), turn.normalized()) * pi;
            }),
            1e-4);
}

}  // namespace
}  // namespace polhode::test
