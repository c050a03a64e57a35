// Acceptance C and D, motions of heavy tops that are known, and what it means to converge to them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "support/heavy_top.hpp"

namespace polhode::test {

using Quaternion = std::array<double, 4>;

/// That error(steps), error(2 steps) and error(4 steps) fall at order 2. The next term of the error moves the slope; at
/// the steps of the tests by 0.006 or less (measured), and by a quarter of that at the next halving.
inline void expect_order_2(const std::function<double(int)>& error, int steps) {
  constexpr double within = 0.01;
  const double coarse = error(steps), middle = error(2 * steps), fine = error(4 * steps);
  EXPECT_NEAR(std::log2(coarse / middle), 2.0, within) << steps << " steps: error " << coarse << ", then " << middle;
  EXPECT_NEAR(std::log2(middle / fine), 2.0, within / 4)
      << 2 * steps << " steps: error " << middle << ", then " << fine;
}

/// C: m = 15 at (0, 1, 0) from the pivot, g = 9.81, moments about the pivot, Omega0 = (0, 150, -4.61538), Q0 = 1. It
/// spins about its axis of symmetry, axis 2: h Omega must be well below 1.
namespace fast_top {
inline constexpr TopParameters body{15.234375, 0.46875, 15.234375, 0, 1, 0, 15 * 9.81};
inline constexpr std::array<double, 3> pi{0, 0.46875 * 150, 15.234375 * -4.61538};
inline constexpr Quaternion attitude{1, 0, 0, 0};
inline constexpr double energy = 5435.696790865546875;
inline constexpr Quaternion attitude_at_0_2{0.708279152974312562, -0.438781088126581897, -0.545728396145417673,
                                            -0.0893997528240050105};
inline constexpr std::array<double, 3> centre_at_1{0.173343964098386043, 0.640088592070568783, -0.748490791133581309};
}  // namespace fast_top

/// D: a solid cone, whose moments about its centre of mass are J; nutation pi/3, precession rate 10, spin rate 135.6.
/// Q = Rz(10 t) Rx(pi/3) Rz(135.6 t), so that at t = 0 Omega = (0, 10 sin(pi/3), 10 cos(pi/3) + 135.6).
namespace steady_precession {
inline constexpr double pi_ = 3.14159265358979323846;
inline constexpr double rho = 2700, a = 0.1, r = a / 2, l = 3 * a / 4, m = rho * pi_ * r * r * a / 3;
inline constexpr double across = 3 * m * (4 * r * r + a * a) / 80 + m * l * l, along = 3 * m * r * r / 10;
inline constexpr TopParameters body{across, across, along, 0, 0, 1, m * 9.81 * l};
/// Of 60 degrees. Constants all of them: Clang keeps no order among inline variables that are initialized at run time.
inline constexpr double sine = 0.86602540378443864676, cosine = 0.5;
inline constexpr std::array<double, 3> pi{0, across * 10 * sine, along*(10 * cosine + 135.6)};
inline constexpr Quaternion attitude{sine, cosine, 0, 0};  // turned by as much
/// Over l.
inline std::array<double, 3> centre(double t) { return {sine * std::sin(10 * t), -sine * std::cos(10 * t), cosine}; }
}  // namespace steady_precession

}  // namespace polhode::test
