// Starts of pendula on a section, with two free coordinates for a given energy and angular momentum. Host only.
#pragma once

#include "polhode/system/description.hpp"

namespace polhode {

/// Chart of a chain of n pendula; there is none except for those below.
template <int n>
struct PendulumChart {};

/// A spherical pendulum in the vertical plane q1y = 0, at q1x > 0. Height and its momentum are the coordinates; the
/// energy determines the speed across the plane, and thus J_z.
template <>
struct PendulumChart<1> {
  static constexpr Chart chart = {
      "q1y = 0",
      "q1y",
      {{"q1z", "q1z", 1}, {"p1z", "p1z", 1}},
      "p1y",
      {{"p1y+", "p1y+2", "p1y+3", "p1y+4"}, {"p1y-", "p1y-2", "p1y-3", "p1y-4"}},
  };
  /// p: m, l, g.
  static ChartRange chart_range(const double* p, double energy);
  static int chart_states(const double* p, double energy, double momentum, int side, double z, double pz, double* x);
};

/// A double spherical pendulum with both rods in one vertical plane and on one side of the vertical, azimuth_difference
/// = 0, neither rising nor falling. The heights z1, z2 of the rods are the coordinates; energy and J_z determine the
/// speeds a and b of the bobs across the plane, which lie on an ellipse and a line:
///
///     (m1 a^2 + m2 b^2)/2 = E - V,   m1 r1 a + m2 (r1 + r2) b = J_z,   r_i^2 = l_i^2 - z_i^2
///
/// On one side the difference increases, on the other it decreases. The chart is a part of the section, which has four
/// dimensions.
template <>
struct PendulumChart<2> {
  static constexpr Chart chart = {
      "azimuth_difference = 0",
      "azimuth_difference",
      {{"q1z", "q1z", 1}, {"q2z", "q2z", 1}},
      "",
      {{"up", "up2", "up3", "up4"}, {"down", "down2", "down3", "down4"}},
  };
  /// p: m1 m2, l1 l2, g.
  static ChartRange chart_range(const double* p, double energy);
  static int chart_states(const double* p, double energy, double momentum, int side, double z1, double z2, double* x);
};

}  // namespace polhode
