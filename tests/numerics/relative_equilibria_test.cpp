// Relative equilibria of reduced systems as starts, [ensemble] from = "relative-equilibrium": against their equations
// in closed form, at rest in long runs, stable and not.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "ensemble/initial.hpp"
#include "error.hpp"
#include "numerics/routh.hpp"
#include "polhode/method/discrete_routh.hpp"
#include "polhode/method/discrete_routh_map.hpp"
#include "polhode/system/double_pendulum_shape.hpp"
#include "polhode/system/j2_satellite_shape.hpp"

namespace polhode::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

RunSpec run_near(const char* system, const std::map<std::string, std::vector<double>>& parameters,
                 const std::vector<double>& near) {
  RunSpec spec;
  spec.system = {system, parameters};
  spec.method = {.name = "discrete-routh", .step = 0.05, .solver = {}, .options = {}};
  spec.ensemble = RelativeEquilibriumStarts{near};
  spec.execution.steps = 1;
  return spec;
}
RunSpec pendulum_near(double mu, const std::vector<double>& near) {
  return run_near("double-spherical-pendulum-reduced", {{"m", {1, 2}}, {"l", {1, 0.8}}, {"g", {1}}, {"mu", {mu}}},
                  near);
}
RunSpec satellite_near(double mu, double oblateness, const std::vector<double>& near) {
  return run_near("j2-satellite-reduced", {{"J2", {oblateness}}, {"radius", {0.01}}, {"mu", {mu}}}, near);
}
std::vector<double> pendulum(double mu) { return {1, 2, 1, 0.8, 1, mu}; }
std::vector<double> satellite(double mu, double oblateness) { return {oblateness, 0.01, mu}; }

Vector start_of(const RunSpec& spec) {
  const Starts starts = make_initial_states(resolve(spec), {}).starts;
  EXPECT_EQ(starts.count(), 1);
  Vector x(starts.dim());
  starts.copy_rows(0, 1, 1, x.data());
  return x;
}
std::string refusal(const RunSpec& spec) {
  try {
    make_initial_states(resolve(spec), {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// dV_mu of two pendula with m = (1, 2), l = (1, 0.8), g = 1.
Eigen::Vector3d slope_of_amended_potential(double mu, const Vector& x) {
  const double r1 = x[0], r2 = x[1], c = std::cos(x[2]), s = std::sin(x[2]);
  const double I = r1 * r1 + 2 * (r1 * r1 + r2 * r2 + 2 * r1 * r2 * c), k = mu * mu / (2 * I * I);
  return {3 * r1 / std::sqrt(1 - r1 * r1) - k * (6 * r1 + 4 * r2 * c),
          2 * r2 / std::sqrt(0.64 - r2 * r2) - k * 4 * (r2 + r1 * c), k * 4 * r1 * r2 * s};
}
double inertia(const Vector& x) {
  return x[0] * x[0] + 2 * (x[0] * x[0] + x[1] * x[1] + 2 * x[0] * x[1] * std::cos(x[2]));
}

/// Largest real part of the exponents of the reduced motion near x, which the largest exponent divides. They are the
/// roots of a polynomial in their squares, of degree 3.
double growth(const std::vector<double>& p, const Vector& x) {
  constexpr int n = 6;  // the angle has no part in it
  static_assert(DoublePendulumReduced::dim == n + 1);
  using Along = Dual<double, n>;
  DoublePendulumReduced::State<Along> at;
  for (int i = 0; i <= n; ++i) at[i] = i < n ? Along::variable(x[i], i) : Along(x[i]);
  const auto rates = DoublePendulumReduced::Model<Along>(p.data()).flow(at);
  Matrix linear(n, n), power = Matrix::Identity(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) linear(i, j) = rates[i].tangent[j];
  std::array<double, n + 1> c{1};  // lambda^6 + c1 lambda^5 + ..., by Faddeev and LeVerrier
  for (int k = 1; k <= n; ++k) {
    power = (linear * power).eval();
    c[k] = -power.trace() / k;
    power += c[k] * Matrix::Identity(n, n);
  }
  const double size = std::pow(c[6], 1.0 / 6);
  for (const int odd : {1, 3, 5}) EXPECT_NEAR(c[odd] / std::pow(size, odd), 0, 1e-11);
  // s^3 + c2 s^2 + c4 s + c6: a root by bisection, since c6 > 0, and the two others.
  double low = -(1 + std::abs(c[2]) + std::abs(c[4]) + c[6]), high = 0;
  for (int k = 0; k < 200; ++k) {
    const double s = (low + high) / 2;
    (((s + c[2]) * s + c[4]) * s + c[6] > 0 ? high : low) = s;
  }
  const double b = (c[2] + high) / 2, d = c[4] + 2 * b * high;
  const std::complex<double> root = std::sqrt(std::complex<double>(b * b - d));
  double real = 0, largest = std::sqrt(-high);
  for (const std::complex<double> square : {-b + root, -b - root}) {
    real = std::max(real, std::abs(std::sqrt(square).real()));
    largest = std::max(largest, std::sqrt(std::abs(square)));
  }
  return real / largest;
}

/// Steps of discrete-routh, every one of them compared with the start; the angle with turning at a constant rate.
template <class System>
void expect_rest(const std::vector<double>& p, const Vector& start, double rate, double bound) {
  const double h = 0.05;
  const StepsOf<DiscreteRouth<System>> step(scheme_of<DiscreteRouthMethod>(), h, p);
  const int angle = System::dim - 1;
  Vector x = start;
  double moved = 0, turned = 0;
  for (int k = 1; k <= 10000; ++k) {
    ASSERT_TRUE(step.try_from(x));
    moved = std::max(moved, largest((x - start).head(angle)));
    turned = std::max(turned, std::abs(x[angle] - rate * h * k));
  }
  EXPECT_LT(moved, bound);
  EXPECT_LT(turned, 1e-9);  // 10000 roundings of an angle of 500, and the rate's own
  EXPECT_GT(x[angle], 300);
}

constexpr double folded = std::numbers::pi;

/// A momentum, and roughly the equilibrium in line and the folded one.
struct Case {
  double mu;
  std::vector<double> in_line, folded;
};
const Case cases[] = {{0.3, {0.25, 0.2, 0.1}, {0.35, 0.4, 3.1}},
                      {0.6, {0.35, 0.25, 0.1}, {0.4, 0.5, 3.1}},
                      {1.0, {0.4, 0.4, 0.1}, {0.5, 0.65, 3.1}},
                      {2.12, {0.5, 0.5, 0.1}, {0.55, 0.75, 3.1}},
                      {5.0, {0.75, 0.65, 0.1}, {0.55, 0.79, 3.1}}};

TEST(RelativeEquilibria, OfTheDoublePendulumAreInAPlane) {
  for (const auto& [mu, in_line, folded_near] : cases)
    for (const auto& near : {in_line, folded_near}) {
      const Vector x = start_of(pendulum_near(mu, near));
      const double phi = near == in_line ? 0 : folded;
      EXPECT_NEAR(x[2], phi, 1e-14);
      // A rounding of r2 moves it by 1e-16 V_mu'', which is 10^5 where the second rod is almost horizontal.
      EXPECT_LT(slope_of_amended_potential(mu, x).norm(), phi > 0 && mu > 2 ? 2e-11 : 2e-14) << mu << ' ' << phi;
      EXPECT_EQ(x.tail(4), Vector::Zero(4));
    }
  // The default is to search from the example, where the pendula are in line.
  EXPECT_LT((start_of(pendulum_near(1, {})) - start_of(pendulum_near(1, {0.38, 0.35, 0}))).norm(), 1e-14);
}

TEST(RelativeEquilibria, OfTheSatelliteAreCircularOrbitsAboveTheEquator) {
  // dV_mu = 0 with z = 0: mu^2 = r + 3 J2/(2 r).
  for (const double oblateness : {0.0, 0.05}) {
    const double mu = 0.95, square = mu * mu;
    const Vector x = start_of(satellite_near(mu, oblateness, {1.2, 0.1}));
    EXPECT_NEAR(x[0], (square + std::sqrt(square * square - 6 * oblateness)) / 2, 4e-16);
    EXPECT_NEAR(x[1], 0, 1e-16);
  }
}

TEST(RelativeEquilibria, StayAtRest) {
  for (const double mu : {0.6, 2.12}) {
    const Vector x = start_of(pendulum_near(mu, {0.4, 0.4, 0.1}));
    expect_rest<DoublePendulumReduced>(pendulum(mu), x, mu / inertia(x), 1e-12);
  }
  const Vector folded_pendula = start_of(pendulum_near(0.6, {0.4, 0.5, folded}));
  expect_rest<DoublePendulumReduced>(pendulum(0.6), folded_pendula, 0.6 / inertia(folded_pendula), 1e-12);
  const Vector orbit = start_of(satellite_near(0.95, 0.05, {1, 0}));
  expect_rest<J2SatelliteReduced>(satellite(0.95, 0.05), orbit, 0.95 / (orbit[0] * orbit[0]), 1e-12);
}

/// The columns before the angle, by both rules of the reference.
template <class Physics>
void expect_rest_of_the_reference(const std::vector<double>& p, const Vector& start, double rate) {
  const int angle = static_cast<int>(start.size()) - 1;
  for (const CollocationOptions& method : {gauss(2), lobatto(3)}) {
    const Vector end = ReferenceSteps<Physics>(method, 0.05, p)(start, 200);
    EXPECT_LT(largest((end - start).head(angle)), 1e-13);  // 8e-15 was measured, and 0 of the satellite
    EXPECT_NEAR(end[angle], rate * 0.05 * 200, 1e-12);     // 200 roundings of an angle of 10
  }
}
TEST(RelativeEquilibria, StayAtRestOnTheReference) {
  for (const double mu : {0.6, 2.12}) {
    const Vector x = start_of(pendulum_near(mu, {0.4, 0.4, 0.1}));
    expect_rest_of_the_reference<DoublePendulumShape>(pendulum(mu), x, mu / inertia(x));
  }
  // About a sphere, and given in full: V_mu' and the momenta are exactly 0.
  expect_rest_of_the_reference<J2SatelliteShape>(satellite(1, 0), Vector::Unit(5, 0), 1);
  const Vector orbit = start_of(satellite_near(0.95, 0.05, {1, 0}));
  expect_rest_of_the_reference<J2SatelliteShape>(satellite(0.95, 0.05), orbit, 0.95 / (orbit[0] * orbit[0]));
}

TEST(RelativeEquilibria, AreStableInLineAndFoldedAtSmallMomenta) {
  // In line V_mu is least. Folded it is not, and the magnetic term keeps the motion near as long as exponents are
  // imaginary; they leave the axis in pairs between mu = 0.6 and 1.
  for (const auto& [mu, in_line, folded_near] : cases) {
    EXPECT_LT(growth(pendulum(mu), start_of(pendulum_near(mu, in_line))), 1e-12) << mu;
    const double rate = growth(pendulum(mu), start_of(pendulum_near(mu, folded_near)));
    if (mu < 0.8)
      EXPECT_LT(rate, 1e-12) << mu;
    else
      EXPECT_GT(rate, 0.01) << mu;
  }
}

TEST(RelativeEquilibria, AreRefusedWhereThereIsNone) {
  const std::string prefix = "cannot use ensemble.near (";
  // With the momentum 0 a satellite falls. Without gravity pendula come to be horizontal.
  EXPECT_EQ(refusal(satellite_near(0, 0, {1, 0})),
            prefix + "Newton's method for a relative equilibrium does not converge). Give a shape nearer to one.");
  RunSpec weightless = pendulum_near(1, {});
  weightless.system.parameters["g"] = {0};
  EXPECT_EQ(
      refusal(weightless),
      "cannot use ensemble.from (Newton's method for a relative equilibrium leaves the chart, from the shape of the "
      "example). Give ensemble.near, a shape near one.");
  // Folded, the search ends where the second rod is so nearly horizontal that corrections are small and the force is
  // not.
  for (const double g : {0.0, 1e-6}) {
    RunSpec folded_pendula = pendulum_near(1, {0.5, 0.6, 3.1});
    folded_pendula.system.parameters["g"] = {g};
    EXPECT_TRUE(refusal(folded_pendula).starts_with(prefix + "Newton's method for a relative equilibrium ")) << g;
  }
  // A rod that hangs straight down has no azimuth.
  EXPECT_EQ(
      refusal(pendulum_near(1, {0.01, 0.6, std::numbers::pi / 2})),
      prefix +
          "Newton's method for a relative equilibrium ends at the edge of the chart). Give a shape nearer to one.");
  EXPECT_EQ(refusal(pendulum_near(1, {1.5, 0.6, 0})), prefix + "it is outside the domain of the system). Correct it.");
  EXPECT_EQ(refusal(pendulum_near(1, {0.5, 0.6})), prefix + "it has 2 numbers). Give 3, the positions.");
  RunSpec spec = run_near("j2-satellite", {{"J2", {0}}, {"radius", {0.01}}}, {});
  spec.method.name = "implicit-midpoint";
  EXPECT_EQ(refusal(spec),
            "cannot use ensemble.from = \"relative-equilibrium\" (j2-satellite is not reduced by an angle). Choose a "
            "system that is, or other starts.");
}

}  // namespace
}  // namespace polhode::test
