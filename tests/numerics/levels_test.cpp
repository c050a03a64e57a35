// Random states at an energy and an angular momentum: invariants, limits, and what has none. Their distributions:
// level_marginals_test.cpp.
#include "system/levels.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "catalog/catalog.hpp"
#include "system/random_source.hpp"

namespace polhode::test {
namespace {

/// The same by an integral: u = int_0^phi dphi / (1 - k^2 sin^2 phi)^1/2, by Simpson's rule.
double integral_of_first_kind(double phi, double kc2) {
  constexpr int n = 20000;
  const auto f = [&](double at) { return 1 / std::sqrt(std::pow(std::cos(at), 2) + kc2 * std::pow(std::sin(at), 2)); };
  double sum = f(0) + f(phi);
  for (int k = 1; k < n; ++k) sum += (k % 2 ? 4 : 2) * f(phi * k / n);
  return sum * phi / n / 3;
}

TEST(JacobiFunctions, InvertTheEllipticIntegral) {
  for (const double kc2 : {1.0, 0.9, 0.3, 0.01}) {
    const double quarter = integral_of_first_kind(std::numbers::pi / 2, kc2);
    for (const double phi : {0.0, 0.2, 0.9, 1.5, 2.5, 4.0, 6.0}) {
      const double u = integral_of_first_kind(phi, kc2);
      const auto [sn, cn, dn] = jacobi_functions(u / quarter * std::numbers::pi / 2, kc2);
      // Simpson's rule in steps h of 3e-4 at most: h^4 / 180 times a fourth derivative of up to 1 / k'^5.
      EXPECT_NEAR(sn, std::sin(phi), 1e-11);
      EXPECT_NEAR(cn, std::cos(phi), 1e-11);
      EXPECT_NEAR(dn, std::sqrt(std::pow(std::cos(phi), 2) + kc2 * std::pow(std::sin(phi), 2)), 1e-11);
    }
  }
}

TEST(JacobiFunctions, AreHyperbolicNearASeparatrix) {
  // sn = tanh u + O(k'^2 e^2u), K = log(4 / k') + O(k'^2 log k'): DLMF 22.10, 19.9.
  const double kc2 = 1e-24, quarter = std::log(4 / std::sqrt(kc2));
  for (const double u : {1e-3, 0.5, 2.0, 5.0}) {
    const auto [sn, cn, dn] = jacobi_functions(u / quarter * std::numbers::pi / 2, kc2);
    EXPECT_NEAR(sn, std::tanh(u), 1e-14);
    EXPECT_NEAR(cn * std::cosh(u), 1, 1e-14);
    EXPECT_NEAR(dn * std::cosh(u), 1, 1e-14);
  }
}

TEST(JacobiFunctions, SatisfyTheirIdentitiesToRoundOff) {
  for (const double kc2 : {1.0, 0.5, 1e-3, 1e-9, 1e-15})
    for (double x = -7; x < 7; x += 0.01) {
      const auto [sn, cn, dn] = jacobi_functions(x, kc2);
      EXPECT_NEAR(sn * sn + cn * cn, 1, 1e-15);
      EXPECT_NEAR(dn * dn, cn * cn + kc2 * sn * sn, 2e-15);
      EXPECT_GT(dn, 0);
    }
}

/// The largest errors of invariants over many states, in the sizes of their terms.
struct Worst {
  double energy = 0, momentum = 0, constraint = 0;
};

Worst worst_of_pendulum(const double* p, const Equilibrium& which) {
  const Levels<SphericalPendulum> levels(p, which);
  char text[problem_size];
  EXPECT_EQ(levels.problem(text), nullptr);
  const double j = *which.angular_momentum, strength = std::abs(p[0] * p[1] * p[2]);
  Worst worst;
  for (int k = 0; k < 100000; ++k) {
    RandomSource random(1, k);
    double x[6];
    levels.draw(random, x);
    const double kinetic = (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]) / (2 * p[0]);
    const auto take = [](double& most, double error) { most = error <= most ? most : error; };  // also a NaN
    take(worst.energy, std::abs(kinetic + p[0] * p[2] * x[2] - which.energy) / (std::abs(which.energy) + strength));
    take(worst.momentum, std::abs(x[0] * x[4] - x[1] * x[3] - j) / (p[1] * std::sqrt(2 * p[0] * kinetic) + 1e-300));
    take(worst.constraint, std::abs((x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / (p[1] * p[1]) - 1));
    take(worst.constraint,
         std::abs(x[0] * x[3] + x[1] * x[4] + x[2] * x[5]) / (p[1] * std::sqrt(2 * p[0] * kinetic) + 1e-300));
  }
  return worst;
}

TEST(PendulumTorus, InvariantsAreThoseAskedFor) {
  struct Case {
    double g, energy, momentum;
  };
  // m l g = 1.04: the upright energy; round, over the top, hardly turning at all, nearly hanging, nearly conical,
  // nearly upright for long, without gravity, and with gravity upward.
  constexpr double m = 1.3, l = 0.8;
  const Case cases[] = {{1, 0.4, 0.6}, {1, 5, 0.3},           {1, 5, 1e-7},    {1, 0.4, 1e-9},
                        {1, 0.4, 0},   {1, -1.0399999, 1e-8}, {1, 1.04, 1e-6}, {1, 1.04 + 1e-9, 0},
                        {0, 2, 0.5},   {-1, 0.4, -0.6},       {9.81, -3, 0.2}, {1e-12, 2, 0.5}};
  for (const Case& c : cases) {
    const double p[] = {m, l, c.g};
    const Worst worst = worst_of_pendulum(p, {.energy = c.energy, .angular_momentum = c.momentum});
    // A few roundings each; what was asked for is 1e-12.
    EXPECT_LT(worst.energy, 4e-15) << c.g << ' ' << c.energy << ' ' << c.momentum;
    EXPECT_LT(worst.momentum, 4e-15) << c.g << ' ' << c.energy << ' ' << c.momentum;
    EXPECT_LT(worst.constraint, 4e-15) << c.g << ' ' << c.energy << ' ' << c.momentum;
  }
}

TEST(PendulumTorus, EndsAtTheConicalPendulum) {
  // At the angle a from the lowest point: J^2 = m^2 l^3 g sin^4 a / cos a, E = m g l (sin^2 a / (2 cos a) - cos a).
  constexpr double m = 1.3, l = 0.8, g = 2.0, angle = 0.7;
  const double sine = std::sin(angle), cosine = std::cos(angle), p[] = {m, l, g};
  const double energy = m * g * l * (sine * sine / (2 * cosine) - cosine);
  const double momentum = std::sqrt(m * m * l * l * l * g / cosine) * sine * sine;
  for (const double part : {1.0, 1 - 1e-15, 1 - 1e-13, -1.0}) {
    const Worst worst = worst_of_pendulum(p, {.energy = energy, .angular_momentum = part * momentum});
    EXPECT_LT(worst.energy, 4e-15) << part;
    EXPECT_LT(worst.momentum, 4e-15) << part;
    const Levels<SphericalPendulum> levels(p, {.energy = energy, .angular_momentum = part * momentum});
    RandomSource random(2, 0);
    double x[6];
    levels.draw(random, x);
    EXPECT_NEAR(x[2], -l * cosine, 1e-6);  // the square root of what the momentum is off
  }
  const Levels<SphericalPendulum> beyond(p, {.energy = energy, .angular_momentum = momentum * (1 + 1e-13)});
  char text[problem_size];
  EXPECT_NE(beyond.problem(text), nullptr);
}

template <class System>
Worst worst_of_body(const double* p, const Vec<double, 3>& moments, const Equilibrium& which) {
  const Levels<System> levels(p, which);
  char text[problem_size];
  EXPECT_EQ(levels.problem(text), nullptr);
  Worst worst;
  for (int k = 0; k < 100000; ++k) {
    RandomSource random(1, k);
    double x[System::dim];
    levels.draw(random, x);
    double twice = 0, square = 0;
    for (int i = 0; i < 3; ++i) {
      twice += x[i] * x[i] / moments[i];
      square += x[i] * x[i];
    }
    const auto take = [](double& most, double error) { most = error <= most ? most : error; };
    take(worst.energy, std::abs(twice / (2 * which.energy) - 1));
    take(worst.momentum, std::abs(std::sqrt(square) / *which.angular_momentum - 1));
  }
  return worst;
}

TEST(Polhodes, InvariantsAreThoseAskedFor) {
  struct Case {
    Vec<double, 3> moments;
    double part;  ///< L^2 / 2 E
  };
  // Both kinds of polhodes, close to the separatrix, at the axes, of a disk and a rod and their circles, of a body that
  // is nearly a sphere, and of a sphere.
  const Case cases[] = {
      {{1.5, 1.2, 0.6}, 1.35},
      {{1.5, 1.2, 0.6}, 0.8},
      {{1.2, 0.6, 1.5}, 1.2 * (1 + 1e-12)},
      {{1.5, 1.2, 0.6}, 1.2 - 1e-9},
      {{1.5, 0.6, 1.2}, 1.5},
      {{1.5, 0.6, 1.2}, 0.6},
      {{1.5, 1.5, 0.6}, 1.1},
      {{0.6, 0.6, 1.5}, 1.1},
      {{1.5, 1.5, 0.6}, 1.5},
      {{0.6, 0.6, 1.5}, 0.6},
      {{1, 1 + 1e-9, 1 + 2e-9}, 1 + 5e-10},
      {{1.1, 1.1, 1.1}, 1.1},
  };
  for (const Case& c : cases) {
    const double energy = 1.7, magnitude = std::sqrt(2 * energy * c.part);
    const double p[] = {c.moments[0], c.moments[1], c.moments[2], 0, 0, 1, 0};
    const Worst worst = worst_of_body<RigidBody>(p, c.moments, {.energy = energy, .angular_momentum = magnitude});
    EXPECT_LT(worst.energy, 8e-15) << c.moments[1] << ' ' << c.part;
    EXPECT_LT(worst.momentum, 8e-15) << c.moments[1] << ' ' << c.part;
  }
}

/// A problem of the system in the catalog.
std::string problem(const char* system, const std::vector<double>& p, const Equilibrium& which) {
  char text[problem_size];
  const char* const found = find_system(system)->invalid_equilibrium_reason(p.data(), which, text);
  return found ? found : "";
}

TEST(Levels, WhatHasNoneSaysSo) {
  const auto expect = [](const std::string& problem, const char* words) {
    EXPECT_NE(problem.find(words), std::string::npos) << problem;
  };
  const std::vector<double> pendulum{1, 1, 1}, top{1.5, 1.2, 0.6, 0, 0, 1, 1}, body{1.5, 1.2, 0.6, 0, 0, 1, 0};
  expect(problem("spherical-pendulum", pendulum, {.energy = -1, .angular_momentum = 0}), "so little energy");
  expect(problem("spherical-pendulum", pendulum, {.energy = 1, .angular_momentum = 0}), "for ever");
  expect(problem("spherical-pendulum", pendulum, {.energy = 0.5, .angular_momentum = 3}),
         "between -1.23132 and 1.23132");
  expect(problem("spherical-pendulum", pendulum, {.energy = 0.5, .momentum = 0.1, .angular_momentum = 0.1}), "same");
  expect(problem("spherical-pendulum", pendulum, {.energy = 0.5, .momentum = 0.1}), "given as angular_momentum");
  expect(problem("spherical-pendulum", pendulum, {.temperature = 1, .angular_momentum = 0.1}), "temperature");
  expect(problem("rigid-body", top, {.energy = 1, .angular_momentum = 1.5}), "c = 0");
  expect(problem("rigid-body", body, {.energy = 0, .angular_momentum = 1}), "so little energy");
  expect(problem("rigid-body", body, {.energy = 1, .angular_momentum = 2}), "between 1.09545 and 1.73205");
  expect(problem("rigid-body", body, {.energy = 1, .angular_momentum = -1.5}), "between 1.09545 and 1.73205");
  expect(problem("rigid-body", body, {.energy = 1, .angular_momentum = std::sqrt(2.4)}), "for ever");
  expect(problem("rigid-body", body, {.energy = 1, .momentum = 1.6, .angular_momentum = 1.5}), "is larger");
  expect(problem("rigid-body-3", {0.3, 0.5, 1}, {.energy = 1, .momentum = 1, .angular_momentum = 1.5}), "vertical");
  for (const char* system : {"rigid-body-4", "rigid-body-5", "rigid-body-6", "double-spherical-pendulum"})
    expect(problem(system, {0.5, 1, 1.5, 2, 2.5, 3}, {.energy = 10, .angular_momentum = 1}), "three dimensions");
}

}  // namespace
}  // namespace polhode::test
