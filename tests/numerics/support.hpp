// Shared by the numerics tests: one trajectory through the step template, in any scalar.
#pragma once

#include <array>
#include <cmath>

#include "polhode/method/rattle.hpp"

namespace polhode::test {

using Point = std::array<double, 6>;  ///< pi1 pi2 pi3 gamma1 gamma2 gamma3

/// Parameters of a heavy top in the order of HeavyTop::parameters.
struct TopParameters {
  double inertia[3];
  double chi[3];
  double c;
  const double* flat() const { return inertia; }
};

// Acceptance A and B: Hairer & Vilmart 2006, sect. 3; Gamma = e3 because Q0 = 1.
inline constexpr TopParameters free_body{{0.6, 0.8, 1.0}, {0, 0, 1}, 0};
inline constexpr TopParameters heavy_body{{0.6, 0.8, 1.0}, {0, 0, 1}, 1};
inline constexpr Point body_start{1.8, 0.4, -0.9, 0, 0, 1};

// MS Figure 1: alpha = (0.44, 0.5, 1).
inline constexpr TopParameters figure_top{{1.5, 1.44, 0.94}, {0, 0, 1}, 1};
inline constexpr double figure_step = 0.05;

/// The start (m13, m12) on the section of MS Figure 1, H = 1.
inline Point figure_start(double m13, double m12) {
  const auto point = HeavyTop::Model<double>(figure_top.flat()).chart_state(1.0, 0.0, 0, m13, m12);
  Point x;
  for (int i = 0; i < 6; ++i) x[i] = point.state[i];
  return x;
}

template <class T>
Vec<T, 6> to_state(const Point& x) {
  Vec<T, 6> state;
  for (int i = 0; i < 6; ++i) state[i] = T(x[i]);
  return state;
}

/// `steps` steps of the method; false where one did not converge.
template <class Method, class T>
bool advance(const TopParameters& parameters, double h, std::int64_t steps, Vec<T, 6>& x) {
  const HeavyTop::Model<T> model(parameters.flat());
  const typename Method::template Step<T> step(model, T(h),
                                               Method::template nominal_sweeps<double>(parameters.flat(), h));
  bool valid = true;
  for (std::int64_t n = 0; n < steps; ++n) valid = step(x, true) && valid;
  return valid;
}

/// Euclidean distance of the angular momenta.
template <class T>
double pi_error(const Vec<T, 6>& x, const std::array<double, 3>& exact) {
  T sum = 0;
  for (int i = 0; i < 3; ++i) sum += (x[i] - T(exact[i])) * (x[i] - T(exact[i]));
  return static_cast<double>(sqrt(sum));
}

}  // namespace polhode::test
