// Derivatives of analytic functions from values on a circle, by Cauchy's integral: of any order, at complex points, and
// to round-off, since the error of the sum falls geometrically with the number of points.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

namespace polhode {

/// f(0), f'(0), ..., f^(order)(0) of an analytic f, from its values on the circle of this radius about 0. No
/// singularity may be within ten radii of 0; the k-th derivative then has an error of about 10^-16 k! |f| / radius^k.
template <int order, class Function>
std::array<std::complex<double>, order + 1> circle_derivatives(const Function& f, double radius) {
  constexpr int points = 16;
  static_assert(order < points / 2);
  std::array<std::complex<double>, order + 1> derivatives{};
  for (int j = 0; j < points; ++j) {
    const double angle = 2 * std::numbers::pi * j / points;
    const std::complex<double> value = f(std::polar(radius, angle));
    for (int k = 0; k <= order; ++k) derivatives[k] += value * std::polar(1.0, -k * angle);
  }
  double scale = 1.0 / points;
  for (int k = 0; k <= order; ++k) {
    derivatives[k] *= scale;
    scale *= (k + 1) / radius;
  }
  return derivatives;
}

/// f'(0) of an analytic f that is real on the real axis, from its values on the upper half of the circle of this radius
/// about 0: those on the lower half are their conjugates.
template <class Function>
double circle_slope(const Function& f, double radius) {
  constexpr int half = 8;
  double sum = 0;
  for (int j = 0; j <= half; ++j) {
    const std::complex<double> turn = std::polar(1.0, std::numbers::pi * j / half);
    sum += (j % half == 0 ? 1 : 2) * (f(radius * turn) * std::conj(turn)).real();
  }
  return sum / (2 * half * radius);
}

}  // namespace polhode
