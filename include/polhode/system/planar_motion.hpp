// A point of unit mass in a plane about a centre: what systems of such a point have in common.
#pragma once

#include <array>

#include "polhode/math/vec.hpp"
#include "polhode/system/rows.hpp"

namespace polhode::inline POLHODE_ISA {

inline constexpr std::array<Quantity, 4> planar_columns{{{"q1", "length", "position"},
                                                         {"q2", "length", "position"},
                                                         {"p1", "length/time", "momentum per mass"},
                                                         {"p2", "length/time", "momentum per mass"}}};

inline constexpr const char* planar_energy_unit = "length^2/time^2";

/// Quantities of PlanarMotion's functions, in their order.
inline constexpr Quantity planar_quantities[3] = {
    {"angular_momentum", "length^2/time", "angular momentum about the centre per mass"},
    {"r", "length", "distance from the centre"},
    {"q_dot_p", "length^2/time", "r dr/dt: zero upward at a pericentre, downward at an apocentre"},
};

/// Base of the Equations<T> of a Physics.
template <class T>
struct PlanarMotion {
  POLHODE_HD const Vec<T, 2>& velocity(const Vec<T, 2>& p) const { return p; }

  POLHODE_HD T angular_momentum(const Vec<T, 2>& q, const Vec<T, 2>& p) const {
    return fma(q[0], p[1], -(q[1] * p[0]));
  }
  POLHODE_HD T distance(const Vec<T, 2>& q, const Vec<T, 2>& /*p*/) const { return sqrt(dot(q, q)); }
  POLHODE_HD T radial_product(const Vec<T, 2>& q, const Vec<T, 2>& p) const { return dot(q, p); }
};

}  // namespace polhode::inline POLHODE_ISA
