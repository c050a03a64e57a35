// The section Gamma3 = 0, Gamma3' > 0 of a top as a chart: the states over a point (m13, m12) = (Pi2, -Pi3) of the
// plane of McLachlan & Scovel 1995, Figure 1, at a given energy and Pi.Gamma.
//
// There Pi2 and Pi3 are given and Gamma = (cos t, sin t, 0), so that the energy determines
//
//   Pi1(t) = +-sqrt(I1 (2 (E - c chi.Gamma) - Pi2^2 / I2 - Pi3^2 / I3))        one sign for each side of the picture
//
// and Pi.Gamma = Pi1(t) cos t + Pi2 sin t = momentum is an equation in t. Squared it is a trigonometric polynomial of
// degree 3: over a point there are at most six states on both sides together, rising and falling.
//
// Host only, in double. The systems of tops convert (pi, gamma) into their own states.
#pragma once

#include "polhode/system/description.hpp"

namespace polhode {

struct TopPoint {
  double pi[3], gamma[3];
};

/// Chart of every system with columns pi1, pi2, pi3 and an observable gamma3. States over a point are named by the sign
/// of Pi1 and, if several have that sign, by a number: first those with Gamma1 Pi2 - Gamma2 Pi1 > 0 (all, if Pi.Gamma =
/// 0), then the others, both by decreasing |Pi1|. Different states of one group never have the same |Pi1|, because Pi1,
/// Pi2 and Pi.Gamma determine Gamma there. Neighbouring states over neighbouring points therefore have the same name,
/// except where a state before them in the list appears or vanishes.
inline constexpr Chart top_chart{
    .section = "gamma3 = 0, up",
    .observable = "gamma3",
    .axes = {{"m13", "pi2", 1}, {"m12", "pi3", -1}},
    .side = "pi1",
    .branches = {{"pi1+", "pi1+2", "pi1+3", "pi1+4"}, {"pi1-", "pi1-2", "pi1-3", "pi1-4"}},
    .is_one_way = true,
};

/// Bounds of the section at an energy. p[7]: I1 I2 I3, chi1 chi2 chi3, c. |m13| and |m12| go up to sqrt(2 (energy + |c|
/// |(chi1, chi2)|) I) with I = I2 and I3: the whole kinetic energy where the centre of mass is lowest.
ChartRange top_chart_range(const double* p, double energy);

/// Computes the states over (m13, m12) on a side, 0: Pi1 > 0, 1: Pi1 < 0, in the order of their names; returns their
/// number. A state on the rim between the sides, to round-off, belongs to one of them. p[7] as above;
/// points[max_chart_points]. In closed form if the potential vanishes in the plane Gamma3 = 0, as for chi = +-e3,
/// otherwise by root finding.
int top_chart_points(const double* p, double energy, double momentum, int side, double m13, double m12,
                     TopPoint* points);

/// Computes the states over (m13, m12) by root finding for any chi, for tests.
int top_chart_points_by_roots(const double* p, double energy, double momentum, int side, double m13, double m12,
                              TopPoint* points);

}  // namespace polhode
