// The section Gamma3 = 0, Gamma3' > 0 of a top as a chart: which states lie over a point (m13, m12) = (Pi2, -Pi3) of
// the plane of McLachlan & Scovel 1995, Figure 1, at a given energy and Pi.Gamma.
//
// Of a state there Pi2 and Pi3 are given and Gamma = (cos t, sin t, 0), so that the energy leaves
//
//   Pi1(t) = +-sqrt(I1 (2 (E - c chi.Gamma) - Pi2^2 / I2 - Pi3^2 / I3))        one sign for each side of the picture
//
// and Pi.Gamma = Pi1(t) cos t + Pi2 sin t = momentum is an equation in t. Squared it is a trigonometric polynomial of
// degree 3: over a point there are at most six states on both sides together, rising and falling.
//
// For the host, in double. A system of tops turns (pi, gamma) into its own state.
#pragma once

#include "polhode/system/description.hpp"

namespace polhode {

struct TopPoint {
  double pi[3], gamma[3];
};

/// For every system with columns pi1, pi2, pi3 and an observable gamma3. The names of the states over a point go by the
/// sign of Pi1 and, where several have that sign, by a number: first those with Gamma1 Pi2 - Gamma2 Pi1 > 0 (all, where
/// Pi.Gamma = 0), then the others, each by decreasing |Pi1|. Within either group two different states never have the
/// same |Pi1|, because Pi1, Pi2 and Pi.Gamma determine Gamma there: over neighbouring points neighbouring states have
/// one name, except where a state before them in the list appears or vanishes.
inline constexpr Chart top_chart{
    .section = "gamma3 = 0, up",
    .observable = "gamma3",
    .axes = {{"m13", "pi2", 1}, {"m12", "pi3", -1}},
    .side = "pi1",
    .branches = {{"pi1+", "pi1+2", "pi1+3", "pi1+4"}, {"pi1-", "pi1-2", "pi1-3", "pi1-4"}},
};

/// The bounds on a section at an energy. p[7]: I1 I2 I3, chi1 chi2 chi3, c. |m13| and |m12| go up to
/// sqrt(2 (energy + |c| |(chi1, chi2)|) I) with I = I2 and I3: nothing is left for the rest of the energy where the
/// centre of mass is lowest.
ChartRange top_chart_range(const double* p, double energy);

/// The states over (m13, m12) on a side, 0: Pi1 > 0, 1: Pi1 < 0, in the order of their names; returns how many. A
/// state on the rim between the sides, to round-off, belongs to one of them. p[7] as above; points[max_chart_points].
/// In closed form where gravity has no part in the plane Gamma3 = 0, as for chi = +-e3, else by finding roots.
int top_chart_points(const double* p, double energy, double momentum, int side, double m13, double m12,
                     TopPoint* points);

/// The same by finding roots whatever chi is: for tests.
int top_chart_points_by_roots(const double* p, double energy, double momentum, int side, double m13, double m12,
                              TopPoint* points);

}  // namespace polhode
