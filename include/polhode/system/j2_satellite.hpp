// A satellite of an oblate planet (oblate_potential.hpp), in Cartesian coordinates: H = |p|^2/2 + V(q). The planet's
// axis is z, its equatorial radius and GM are 1, so that an orbit at its surface has the period 2 pi (Jalnapurkar,
// Leok, Marsden & West 2006, sect. 5).
#pragma once

#include "polhode/system/bodies.hpp"
#include "polhode/system/mechanical_system.hpp"
#include "polhode/system/oblate_potential.hpp"
#include "polhode/system/orbit_nodes.hpp"
#include "polhode/system/pericentre.hpp"

namespace polhode::inline POLHODE_ISA {

struct J2SatellitePhysics {
  static constexpr const char* name = "j2-satellite";
  static constexpr const char* meaning = "satellite of an oblate planet";
  static constexpr const char* sources[] = {"JalnapurkarLeokMarsdenWest2006"};
  static constexpr const char* edge = "it came within `radius` of the centre, a collision";
  static constexpr int N = 3, D = 0;
  static constexpr const char* equations[] = {
      "H = |p1|^2/2 - 1/R - J2/(2 R^3) (1 - 3 q1z^2/R^2),  R = |q1|",
      satellite_units,
  };
  static constexpr const char* energy_unit = satellite_energy_unit;
  static constexpr auto columns = [] {
    auto all = body_columns<1>("position", "momentum per mass");
    for (int i = N; i < 2 * N; ++i) all[i].unit = "length/time";
    return all;
  }();
  static constexpr const auto& parameters = satellite_parameters;
  static constexpr double example_parameters[] = {0.05, 0.01};
  static constexpr double example_step = 0.05;
  /// A circular orbit about a sphere, inclined by 0.3.
  static void example_state(const double*, double* x) {
    const double state[] = {1, 0, 0, 0, 0.955336489125606, 0.29552020666133955};
    for (int i = 0; i < 6; ++i) x[i] = state[i];
  }

  template <class T>
  struct Equations {
    OblatePotential<T> oblate;
    T radius;

    /// p: J2, radius.
    POLHODE_HD explicit Equations(const double* p)
        : oblate{T(static_cast<Real<T>>(p[0]))}, radius(static_cast<Real<T>>(p[1])) {}

    POLHODE_HD const Vec<T, 3>& velocity(const Vec<T, 3>& p) const { return p; }
    POLHODE_HD T potential(const Vec<T, 3>& q) const { return oblate(fma(q[0], q[0], q[1] * q[1]), q[2]); }
    POLHODE_HD Vec<T, 3> potential_gradient(const Vec<T, 3>& q) const {
      const auto slope = oblate.slope(fma(q[0], q[0], q[1] * q[1]), q[2]);
      return {slope.c * q[0], slope.c * q[1], (slope.c + slope.further) * q[2]};
    }
    POLHODE_HD Mask<T> is_inside(const Vec<T, 3>& q, const Vec<T, 3>& p) const {
      const Vec<T, 3> turn = cross(q, p);
      return has_not_collided(q, p, dot(turn, turn), T(Real<T>(1)), radius);
    }

    POLHODE_HD T angular_momentum(const Vec<T, 3>& q, const Vec<T, 3>& p) const {
      return fma(q[0], p[1], -(q[1] * p[0]));
    }
    POLHODE_HD T distance(const Vec<T, 3>& q, const Vec<T, 3>&) const { return sqrt(dot(q, q)); }
    POLHODE_HD T node(const Vec<T, 3>& q, const Vec<T, 3>& p) const { return longitude_of_node(q, p); }
    POLHODE_HD T one(const Vec<T, 3>&, const Vec<T, 3>&) const { return T(Real<T>(1)); }

    static constexpr DerivedRow<Equations, T, 3> derived[2] = {
        {satellite_quantities[0], &Equations::distance},
        {satellite_quantities[1], &Equations::node, &Equations::one},
    };
    static constexpr ConservedRow<Equations, T, 3> conserved[1] = {
        {satellite_quantities[2], &Equations::angular_momentum}};
  };
};
using J2Satellite = MechanicalSystem<J2SatellitePhysics>;

}  // namespace polhode::inline POLHODE_ISA
