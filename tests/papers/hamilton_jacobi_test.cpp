// The solution of the Hamilton-Jacobi equation S_t = H(p, q + S_p) as a series t S_1 + t^2 S_2 + t^3 S_3 (Hairer 2003,
// (4.2), (4.3)):
//
//   S_1 = H,   S_2 = 1/2 H_q.H_p,   S_3 = 1/6 H_q.(H_q.H_p)_p + 1/6 H_qq[H_p, H_p]
//
// where the last coefficient is printed as 1/3. p0 = P + S_q(P, q0), Q = q0 + S_p(P, q0) is the flow.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "papers/modified_hamiltonian.hpp"
#include "papers/power_series.hpp"

namespace polhode::test {
namespace {

NearAPoint time_of_series() { return NearAPoint::variable(0, 0); }

class HamiltonJacobi : public ::testing::TestWithParam<RodPendulum> {
 protected:
  /// S_t - H(p, q + S_p), a series in t with so many terms of S.
  static NearAPoint residual(const PointOfRod& at, int terms, double last_coefficient = 1.0 / 6) {
    const Triple<NearAPoint> q = variables_near(at.q, index_of_q), p = variables_near(at.p, index_of_p);
    const NearAPoint t = time_of_series(), H = GetParam().hamiltonian(q, p);
    NearAPoint S = t * H;
    if (terms > 1) S += t * t * (0.5 * product_of_slopes(H, H));
    if (terms > 2) S += t * t * t * third_term_of(H, last_coefficient);
    return S.derivative(0) - GetParam().hamiltonian(Triple<NearAPoint>(q + gradient_of(S, index_of_p)), p);
  }
  /// Coefficient of a power of t.
  static double term(const NearAPoint& series, int power) { return series.part(0, power).value(); }
};
INSTANTIATE_TEST_SUITE_P(Hairer, HamiltonJacobi, ::testing::Values(spherical_rod, magnetic_rod),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(HamiltonJacobi, IsSolvedByTheSeriesToThirdOrder) {
  std::mt19937_64 random(367);
  for (int trial = 0; trial < 3; ++trial) {
    const PointOfRod at = random_point_of(GetParam(), random, false);
    for (const int terms : {1, 2, 3}) {
      const NearAPoint residual = this->residual(at, terms);
      for (int power = 0; power < terms; ++power) EXPECT_NEAR(term(residual, power), 0, 2e-15) << terms;
      // The first one that is left.
      if (terms < 3) {
        EXPECT_GT(std::abs(term(residual, terms)), 1e-3) << terms;
      }
    }
  }
}

TEST_P(HamiltonJacobi, IsNotSolvedWithTheLastCoefficientAsPrinted) {
  std::mt19937_64 random(373);
  const PointOfRod at = random_point_of(GetParam(), random, false);
  const Triple<NearAPoint> q = variables_near(at.q, index_of_q), p = variables_near(at.p, index_of_p);
  const NearAPoint H = GetParam().hamiltonian(q, p);
  const double curvature = curvature_of(H, index_of_q, gradient_of(H, index_of_p)).value();
  EXPECT_NEAR(term(residual(at, 3, 1.0 / 3), 2), curvature / 2, 2e-15);  // 3 t^2 (1/3 - 1/6) of it
  if (GetParam().growth != 0) {
    EXPECT_GT(std::abs(curvature), 1e-2);
  }
}

/// Position and momentum of the system of Henon and Heiles, and series in p (0, 1) and q (2, 3) near them.
struct PlanePoint {
  double q[2], p[2];
};
using NearPlanePoint = PowerSeries<4, 4>;

/// H = |p|^2/2 + |q|^2/2 + x^2 y - y^3/3 near a point.
NearPlanePoint henon_heiles_near(const PlanePoint& at) {
  const auto variable = [](double value, int k) { return NearPlanePoint::variable(value, k); };
  const NearPlanePoint x = variable(at.q[0], 2), y = variable(at.q[1], 3), u = variable(at.p[0], 0),
                       v = variable(at.p[1], 1);
  return 0.5 * (u * u + v * v + x * x + y * y) + x * x * y - (1.0 / 3) * (y * y * y);
}

/// The map that so many terms generate, by iteration from P = p0.
PlanePoint generated_map(const PlanePoint& start, double t, int terms, double last_coefficient) {
  PlanePoint end = start;
  for (int pass = 0; pass < 60; ++pass) {  // each makes the error smaller by a factor of order t
    const NearPlanePoint H = henon_heiles_near({{start.q[0], start.q[1]}, {end.p[0], end.p[1]}});
    const NearPlanePoint force[2] = {H.derivative(2), H.derivative(3)}, speed[2] = {H.derivative(0), H.derivative(1)};
    const NearPlanePoint product = force[0] * speed[0] + force[1] * speed[1];
    NearPlanePoint S = t * H;
    if (terms > 1) S += (t * t / 2) * product;
    if (terms > 2) {
      NearPlanePoint third;
      for (int i = 0; i < 2; ++i) {
        third += (1.0 / 6) * (force[i] * product.derivative(i));
        for (int j = 0; j < 2; ++j) third += last_coefficient * (speed[i] * speed[j] * force[i].derivative(2 + j));
      }
      S += (t * t * t) * third;
    }
    for (int k = 0; k < 2; ++k) end.q[k] = start.q[k] + S.slope(k), end.p[k] = start.p[k] - S.slope(2 + k);
  }
  return end;
}

/// The flow by 400 steps of the classical Runge-Kutta method, exact to round-off.
PlanePoint flow_of_henon_heiles(const PlanePoint& start, double t) {
  const auto rate = [](const Eigen::Vector4d& x) {
    return Eigen::Vector4d(x[2], x[3], -x[0] - 2 * x[0] * x[1], -x[1] - x[0] * x[0] + x[1] * x[1]);
  };
  constexpr int steps = 400;
  const double h = t / steps;
  Eigen::Vector4d x(start.q[0], start.q[1], start.p[0], start.p[1]);
  for (int n = 0; n < steps; ++n) {
    const Eigen::Vector4d k1 = rate(x), k2 = rate(x + h / 2 * k1), k3 = rate(x + h / 2 * k2), k4 = rate(x + h * k3);
    x += h / 6 * (k1 + 2 * (k2 + k3) + k4);
  }
  return {{x[0], x[1]}, {x[2], x[3]}};
}

TEST(HamiltonJacobiOfHenonHeiles, HasErrorsOfTheOrderOfItsTerms) {
  // One step from q = (0, .1), p = (., .2) with H = 1/8. Errors to 6 digits were computed elsewhere in the same way.
  const PlanePoint start{{0, .1}, {0.44795833139552909, .2}};
  const struct {
    int terms;
    double last_coefficient;
    std::vector<double> errors;
    double order;
  } rows[] = {{1, 1.0 / 6, {0.0111648, 0.00274363, 0.000679168, 0.000168903}, 2},
              {2, 1.0 / 6, {0.00136171, 0.000176164, 2.22566e-5, 2.79241e-6}, 3},
              {3, 1.0 / 6, {0.000259356, 1.58005e-5, 9.6815e-7, 5.98115e-8}, 4},
              {3, 1.0 / 3, {0.00127082, 0.000168759, 2.17439e-5, 2.75886e-6}, 3}};  // as printed
  for (const auto& row : rows) {
    double t = 0.2, coarser = 0;
    for (const double known : row.errors) {
      const PlanePoint map = generated_map(start, t, row.terms, row.last_coefficient),
                       flow = flow_of_henon_heiles(start, t);
      double error = 0;
      for (int k = 0; k < 2; ++k)
        error = std::max({error, std::abs(map.q[k] - flow.q[k]), std::abs(map.p[k] - flow.p[k])});
      EXPECT_NEAR(error, known, 6e-6 * known + 2e-15) << row.terms << " terms, " << t;
      if (coarser > 0) {
        EXPECT_NEAR(std::log2(coarser / error), row.order, 0.1) << row.terms << " terms, " << t;
      }
      coarser = error;
      t /= 2;
    }
  }
}

}  // namespace
}  // namespace polhode::test
