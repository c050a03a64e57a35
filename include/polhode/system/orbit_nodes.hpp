// Common part of the descriptions of a satellite: its parameters, and the node of its orbit.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/scalar/elementary.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

inline constexpr const char* satellite_energy_unit = "length^2/time^2";
inline constexpr const char* satellite_units =
    "units in which the planet's equatorial radius and its gravitational parameter GM are 1";

inline constexpr double satellite_defaults[] = {0.0010826, 0.01};
inline constexpr Parameter satellite_parameters[] = {
    {"J2", "1", 1, satellite_defaults, Bound::finite, "oblateness; positive of an oblate planet"},
    {"radius", "length", 1, satellite_defaults + 1, Bound::positive,
     "distance from the centre within which a satellite has collided, and ends with status 3; less than 1 for the "
     "motion about a point with that potential. Looked at after each step; of j2-satellite also the pericentre of the "
     "osculating orbit that it moves away from, because a step may pass the centre, which in the other descriptions "
     "mu keeps it from"},
};

inline constexpr Quantity satellite_quantities[] = {
    {"R", "length", "distance from the centre"},
    {"node", "rad", "longitude of the ascending node of the osculating orbit; 0 of one in the equator", Angle::wrapped},
    {"angular_momentum_z", "length^2/time", "angular momentum about the axis per mass"},
};

/// Angle of k x (q x v) from the x axis.
template <class T>
POLHODE_HD T longitude_of_node(const Vec<T, 3>& q, const Vec<T, 3>& v) {
  return azimuth(fma(q[1], v[2], -(q[2] * v[1])), -fma(q[2], v[0], -(q[0] * v[2])));
}

}  // namespace polhode::inline POLHODE_ISA
