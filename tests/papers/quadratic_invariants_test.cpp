// Rules that keep quadratic invariants approximate the exponential map of a group that is given by quadratic
// constraints, and compute elements of the group (McLachlan & Scovel 1995, sect. 4): the implicit midpoint rule, which
// the classical Runge-Kutta method is compared with. On
//
//     SO(3), SO(5), Sp(4) = G_2 of two degrees of freedom     q' = q X(t),   q B q^T = B
//
// this holds: q B q^T is an integral of all q. G_3, the polynomial maps of the plane of degrees 1 and 2 that are
// symplectic up to degree 1 (sect. 4, Example 1), shows that the equation matters. Of its two equations with the
// solution exp(t X), A' = X o A has the constraint as an integral; A' = dA.X, which is the linear one, has only its
// zero level as an invariant set, and the midpoint rule leaves the group.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <ostream>

#include "numerics/dense.hpp"

namespace polhode::test {
namespace {

using Matrix = Eigen::MatrixXd;
using Rate = std::function<Matrix(double t, const Matrix& q)>;
using Rule = Matrix (*)(const Rate&, double t, double h, const Matrix& q);

/// Midpoint rule, by fixed-point iteration to round-off: a sweep gains the factor h |X| / 2, at most 0.1.
Matrix midpoint(const Rate& rate, double t, double h, const Matrix& q) {
  Matrix next = q;
  for (int k = 0; k < 25; ++k) next = q + h * rate(t + h / 2, (q + next) / 2);
  return next;
}

/// Classical Runge-Kutta method.
Matrix runge_kutta(const Rate& rate, double t, double h, const Matrix& q) {
  const Matrix k1 = rate(t, q), k2 = rate(t + h / 2, q + h / 2 * k1), k3 = rate(t + h / 2, q + h / 2 * k2),
               k4 = rate(t + h, q + h * k3);
  return q + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

/// Solution at t = 1, from the unit element.
Matrix at_1(Rule rule, const Rate& rate, int steps, const Matrix& one) {
  Matrix q = one;
  for (int n = 0; n < steps; ++n) q = rule(rate, n / static_cast<double>(steps), 1.0 / steps, q);
  return q;
}

/// Group of all q with q B q^T = B.
struct QuadraticGroup {
  const char* name;
  Matrix form;

  int size() const { return static_cast<int>(form.rows()); }
  /// Element of its algebra, with entries of some tenths.
  Matrix element(double phase) const {
    Matrix a(size(), size());
    for (int i = 0; i < size(); ++i)
      for (int j = 0; j < size(); ++j) a(i, j) = 0.6 * std::sin(1 + 2.3 * i + 3.7 * j + phase);
    return (a - product(product(form, a.transpose()), inverse(form))) / 2;
  }
  double defect(const Matrix& q) const { return (congruent(q.transpose(), form) - form).cwiseAbs().maxCoeff(); }
};

Matrix orthogonal(int n) { return Matrix::Identity(n, n); }
Matrix symplectic(int d) {
  Matrix j = Matrix::Zero(2 * d, 2 * d);
  j.topRightCorner(d, d).setIdentity();
  j.bottomLeftCorner(d, d) = -Matrix::Identity(d, d);
  return j;
}

void PrintTo(const QuadraticGroup& group, std::ostream* to) { *to << group.name; }

class QuadraticGroups : public ::testing::TestWithParam<QuadraticGroup> {};

TEST_P(QuadraticGroups, AreKeptByTheMidpointRuleAlone) {
  const QuadraticGroup& group = GetParam();
  const Matrix one = Matrix::Identity(group.size(), group.size());
  const Rate rate = [&](double t, const Matrix& q) -> Matrix { return product(q, group.element(5 * t)); };
  const auto defect = [&](Rule rule, int steps) { return group.defect(at_1(rule, rate, steps, one)); };
  // A root of the 1000 steps times some units in the last place, 2e-16: 2e-15 to 3.4e-15 were measured.
  EXPECT_LT(defect(midpoint, 1000), 1e-14);
  EXPECT_GT(defect(runge_kutta, 20), 3e-8);
  // Of a step h, the Runge-Kutta method loses h^6 of what is quadratic; 5.00 was measured with all groups.
  EXPECT_NEAR(std::log2(defect(runge_kutta, 40) / defect(runge_kutta, 80)), 5, 0.02);
}

TEST_P(QuadraticGroups, HaveTheExponentialMapAsALimit) {
  const QuadraticGroup& group = GetParam();
  const Matrix one = Matrix::Identity(group.size(), group.size()), x = group.element(0);
  const Rate rate = [&](double, const Matrix& q) -> Matrix { return product(q, x); };
  const Matrix exponential = at_1(runge_kutta, rate, 1000, one);  // off by less than 1e-13
  const auto error = [&](int steps) { return (at_1(midpoint, rate, steps, one) - exponential).norm(); };
  EXPECT_NEAR(std::log2(error(20) / error(40)), 2, 0.005);  // the next term: 1.9993 to 2.0000 were measured
}

INSTANTIATE_TEST_SUITE_P(Quadratic, QuadraticGroups,
                         ::testing::Values(QuadraticGroup{"SO3", orthogonal(3)}, QuadraticGroup{"SO5", orthogonal(5)},
                                           QuadraticGroup{"Sp4", symplectic(2)}),
                         [](const auto& info) { return info.param.name; });

/// Rows of x^2, xy and y^2 after a map of the plane, A (x, y, x^2, xy, y^2)^T with A of 2 rows.
Matrix squares_of(const Matrix& a) {
  Matrix s(3, 3);
  s << a(0, 0) * a(0, 0), 2 * a(0, 0) * a(0, 1), a(0, 1) * a(0, 1),                 //
      a(0, 0) * a(1, 0), a(0, 0) * a(1, 1) + a(0, 1) * a(1, 0), a(0, 1) * a(1, 1),  //
      a(1, 0) * a(1, 0), 2 * a(1, 0) * a(1, 1), a(1, 1) * a(1, 1);
  return s;
}
/// Composition outer o a, up to degree 2.
Matrix composed(const Matrix& outer, const Matrix& a) {
  Matrix c(2, 5);
  c.leftCols(2) = outer.leftCols(2) * a.leftCols(2);
  c.rightCols(3) = outer.leftCols(2) * a.rightCols(3) + outer.rightCols(3) * squares_of(a);
  return c;
}
/// Derivative dA.X of A o (1 + e X) by e, by a difference that is exact for polynomials of degree 2.
Matrix derivative_along(const Matrix& a, const Matrix& x) {
  Matrix one = Matrix::Zero(2, 5);
  one.leftCols(2).setIdentity();
  return (composed(a, one + x) - composed(a, one - x)) / 2;
}
/// Coefficients of det dA - 1 up to degree 1: of 1, x and y.
Eigen::Vector3d constraint(const Matrix& a) {
  const auto area = [&](int j, int k) { return a(0, j) * a(1, k) - a(0, k) * a(1, j); };
  return {area(0, 1) - 1, area(0, 3) + 2 * area(2, 1), 2 * area(0, 4) + area(3, 1)};
}

TEST(GroupOfPolynomialMaps, IsKeptWhereTheConstraintIsAnIntegral) {
  Matrix one = Matrix::Zero(2, 5), x(2, 5);
  one.leftCols(2).setIdentity();
  const double h[] = {0.5, 0.2, 0.7, 0.3, -0.4, 0.6, 0.25};  // of x^2, xy, y^2, x^3, x^2 y, x y^2, y^3
  x << h[1], 2 * h[2], h[4], 2 * h[5], 3 * h[6], -2 * h[0], -h[1], -3 * h[3], -2 * h[4], -h[5];  // J grad h
  const Rate after = [&](double, const Matrix& a) { return composed(x, a); };
  const Rate before = [&](double, const Matrix& a) { return derivative_along(a, x); };
  const Matrix exponential = at_1(runge_kutta, after, 1000, one);
  for (const Rate& rate : {after, before}) {
    const auto error = [&](int steps) { return (at_1(midpoint, rate, steps, one) - exponential).norm(); };
    EXPECT_NEAR(std::log2(error(40) / error(80)), 2, 0.01);  // the next term: 1.9996 and 2.000 were measured
  }
  const auto defect = [&](const Rate& rate, int steps) {
    return constraint(at_1(midpoint, rate, steps, one)).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(defect(after, 1000), 1e-14);  // as above; 4e-15 was measured
  EXPECT_NEAR(defect(before, 20), 2.47e-3, 1e-5);
  EXPECT_NEAR(std::log2(defect(before, 40) / defect(before, 80)), 2, 0.01);  // 1.999 was measured
}

}  // namespace
}  // namespace polhode::test
