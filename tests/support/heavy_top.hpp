// Tops that the tests share: those of the papers and random ones. Plain numbers, so that the tests of the independent
// reference need nothing of a method.
#pragma once

#include <array>
#include <cmath>
#include <random>

namespace polhode::test {

using Point = std::array<double, 6>;          ///< pi1 pi2 pi3 gamma1 gamma2 gamma3
using TopParameters = std::array<double, 7>;  ///< I1 I2 I3, chi1 chi2 chi3, c, as in HeavyTop::parameters

// Acceptance A and B: Hairer & Vilmart 2006, sect. 3; Gamma = e3 because Q0 = 1.
inline constexpr TopParameters free_body{0.6, 0.8, 1.0, 0, 0, 1, 0};
inline constexpr TopParameters heavy_body{0.6, 0.8, 1.0, 0, 0, 1, 1};
inline constexpr Point body_start{1.8, 0.4, -0.9, 0, 0, 1};
inline constexpr std::array<double, 3> free_body_pi_at_10{1.76596250851820754, -0.695464197033089119,
                                                          0.779554981481871086};
inline constexpr std::array<double, 3> heavy_body_pi_at_10{1.92257338166300751, 0.772023234467084646,
                                                           -0.201105479203547331};

/// The same body hung at a point on no axis: every component of chi counts.
inline constexpr TopParameters oblique_body{0.6, 0.8, 1.0, 0.36, 0.48, 0.8, 1};

// MS Figure 1: alpha = (0.44, 0.5, 1).
inline constexpr TopParameters figure_top{1.5, 1.44, 0.94, 0, 0, 1, 1};
inline constexpr double figure_step = 0.05;

/// The start (m13, m12) = (Pi2, -Pi3) on the section Gamma3 = 0, Gamma3' > 0 of MS Figure 1: H = 1, Pi.Gamma = 0, Pi1 >
/// 0.
inline Point figure_start(double m13, double m12) {
  const double pi2 = m13, pi3 = -m12, pi1 = std::sqrt(1.5 * (2 - pi2 * pi2 / 1.44 - pi3 * pi3 / 0.94));
  const double norm = std::hypot(pi1, pi2);
  return {pi1, pi2, pi3, pi2 / norm, -pi1 / norm, 0};  // Gamma3' = Gamma1 Omega2 - Gamma2 Omega1 > 0
}

/// Momenta of size about 1 and a unit Gamma.
template <class Generator>
Point random_point(Generator& random) {
  std::normal_distribution<double> normal;
  Point x;
  for (double& value : x) value = normal(random);
  const double norm = std::hypot(x[3], x[4], x[5]);
  for (int i = 3; i < 6; ++i) x[i] /= norm;
  return x;
}

/// A rigid body (moments between 0.4 and 2.4 that meet the triangle inequality) with any chi and c of either sign.
template <class Generator>
TopParameters random_body(Generator& random) {
  std::uniform_real_distribution<double> uniform(0.2, 1.2);
  const double alpha[3] = {uniform(random), uniform(random), uniform(random)};
  const Point direction = random_point(random);
  return {alpha[1] + alpha[2], alpha[2] + alpha[0], alpha[0] + alpha[1], direction[3],
          direction[4],        direction[5],        2 * direction[0]};
}

}  // namespace polhode::test
