// The section Gamma3 = 0, Gamma3' > 0 of a body in an ideal fluid, reduced to its momenta, as a chart: the states over
// a point (Pi2, Pi3) of the plane at a given energy and Pi.Gamma.
//
// For Pi.Gamma = 0 and c Gamma.chi = 0 in the plane Gamma3 = 0, X = Pi1^2 is a positive root of
//
//   X^2/J1 + X (a + Pi2^2/J1 + p^2/M2) + Pi2^2 (a + p^2/M1) = 0,   a = Pi2^2/J2 + Pi3^2/J3 - 2 E
//   Gamma = (Pi2, -Pi1, 0) / sqrt(X + Pi2^2)
//
// of which there is one if a + p^2/M1 < 0; elsewhere there are two or none. In general the equation is one in the
// direction of Gamma, as that of system/top_chart.hpp.
//
// Host only, in double.
#pragma once

#include "polhode/system/description.hpp"

namespace polhode {

/// Chart of the system. States over a point are named as those of top_chart.
inline constexpr Chart vehicle_chart{
    .section = "gamma3 = 0, up",
    .observable = "gamma3",
    .axes = {{"pi2", "pi2", 1}, {"pi3", "pi3", 1}},
    .side = "pi1",
    .branches = {{"pi1+", "pi1+2", "pi1+3", "pi1+4"}, {"pi1-", "pi1-2", "pi1-3", "pi1-4"}},
    .is_one_way = true,
};

/// Bounds of the section at an energy. p[20]: parameters of system/underwater_vehicle_reduced.hpp.
ChartRange vehicle_chart_range(const double* p, double energy);

/// Computes the states over (Pi2, Pi3) on a side, 0: Pi1 > 0, 1: Pi1 < 0, in the order of their names; returns their
/// number. p[20] as above; x[max_chart_points][6].
int vehicle_chart_states(const double* p, double energy, double momentum, int side, double pi2, double pi3, double* x);

}  // namespace polhode
