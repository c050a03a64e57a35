// How the error grows with time on an integrable motion: in proportion to time where the method is symplectic (Hairer
// 2003, sect. 1), with its square where the energy drifts, as that of the classical Runge-Kutta method does. The motion
// is the regular orbit m13 = 0.5, m12 = 0.64 of MS Figure 1, whose points after each step lie on a torus.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/support.hpp"

namespace polhode::test {
namespace {

using State = HeavyTop::State<double>;

const HeavyTop::Model<double> model(figure_top.data());

/// Classical Runge-Kutta method.
State runge_kutta(const State& x, double h) {
  const auto at = [](const State& y) { return flow<HeavyTop, double>(model, y); };
  const State k1 = at(x), k2 = at(x + (h / 2) * k1), k3 = at(x + (h / 2) * k2), k4 = at(x + h * k3);
  return x + (h / 6) * (k1 + 2.0 * (k2 + k3) + k4);
}

double distance(const State& a, const State& b) {
  const State d = a - b;
  return std::sqrt(dot(d, d));
}

/// Largest error in (Pi, Gamma) up to each of the times. `step` advances a state by h, a multiple of 0.01.
/// The exact motion is by Runge-Kutta steps of 0.01, which are off by 1.1e-5 at t = 2048, against steps of 0.005.
template <class Step>
std::vector<double> largest_errors(const Step& step, double h, const std::vector<int>& times) {
  constexpr double fine = 0.01;
  State x = to_state<HeavyTop, double>(figure_start(0.5, 0.64)), exact = x;
  std::vector<double> errors;
  double largest = 0;
  std::int64_t done = 0;
  for (const int t : times) {
    for (const std::int64_t end = std::llround(t / h); done < end; ++done) {
      x = step(x);
      for (int k = 0; k < std::lround(h / fine); ++k) exact = runge_kutta(exact, fine);
      largest = std::max(largest, distance(x, exact));
    }
    errors.push_back(largest);
  }
  return errors;
}

/// Slope of log(error) against log(time), for times that double.
double slope(const std::vector<double>& errors) {
  const int n = static_cast<int>(errors.size());
  double moment = 0, squares = 0;
  for (int k = 0; k < n; ++k) {
    const double from_middle = k - 0.5 * (n - 1);
    moment += from_middle * std::log2(errors[k]), squares += from_middle * from_middle;
  }
  return moment / squares;
}

template <class Method>
void expect_linear_growth() {
  constexpr double h = 0.01;
  const typename Method::template Step<double> step(model, h,
                                                    Method::template nominal_sweeps<double>(figure_top.data(), h));
  const auto errors = largest_errors(
      [&](State x) {
        EXPECT_TRUE(step(x, x, true));
        return x;
      },
      h, {256, 512, 1024, 2048});
  EXPECT_NEAR(errors.front(), 3.0e-3, 0.05e-3);  // theory.md, sect. 4: half a unit of its last digit
  EXPECT_NEAR(errors.back(), 2.4e-2, 0.05e-2);
  // The largest error waits for the phase of the orbit where the error is largest: from one doubling to the next the
  // slope is 0.98, 1.04 and 0.98.
  EXPECT_NEAR(slope(errors), 1, 0.02);
}

TEST(ErrorGrowth, IsLinearWithRattle) {
  expect_linear_growth<Rattle<HeavyTop, CayleySolver>>();
  expect_linear_growth<Rattle<HeavyTop, HadamardSolver>>();
}

TEST(ErrorGrowth, IsQuadraticWithRungeKutta) {
  constexpr double h = 0.2;
  const auto errors = largest_errors([](const State& x) { return runge_kutta(x, h); }, h, {8, 16, 32, 64, 128, 256});
  // 5.6e-4 at t = 8, where an error that does not grow still counts, and 0.51 at t = 256, half the size of Gamma: the
  // slopes from one doubling to the next are 1.6, 2.2, 2.1, 2.0 and 1.9.
  EXPECT_NEAR(slope(errors), 2, 0.05);
}

}  // namespace
}  // namespace polhode::test
