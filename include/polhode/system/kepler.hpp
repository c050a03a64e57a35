// The Kepler problem in a plane, a point mass about a centre that attracts it:
//
//   H = |p|^2/2 + V(q),   V = -mu/|q|
//
// An orbit that comes within `radius` of the centre has collided (pericentre.hpp): it leaves the domain and ends.
#pragma once

#include <array>
#include <cmath>

#include "polhode/system/mechanical_system.hpp"
#include "polhode/system/pericentre.hpp"
#include "polhode/system/planar_motion.hpp"

namespace polhode::inline POLHODE_ISA {

struct KeplerPhysics {
  static constexpr const char* name = "kepler";
  static constexpr const char* meaning = "Kepler problem in a plane: a point mass about a centre of attraction";
  static constexpr const char* sources[] = {"HairerLubichWanner2006"};
  static constexpr const char* equations[] = {"H = |p|^2/2 - mu/|q|"};
  static constexpr const char* energy_unit = planar_energy_unit;
  static constexpr const char* edge = "it came within `radius` of the centre, a collision";
  static constexpr int N = 2, D = 0;
  static constexpr auto columns = planar_columns;
  static constexpr double defaults[] = {1, 0.01};
  static constexpr Parameter parameters[] = {
      {"mu", "length^3/time^2", 1, defaults, Bound::positive, "gravitational parameter of the centre"},
      {"radius", "length", 1, defaults + 1, Bound::positive,
       "radius of the centre; an orbit that is within it, or moves away from a pericentre within it, has collided, and "
       "ends with status 3"},
  };
  static constexpr double example_parameters[] = {1, 0.01};
  static constexpr double example_step = 0.05;
  /// The pericentre of an orbit with semi-axis 1 and eccentricity 0.4, turned out of the axes. Host only.
  static void example_state(const double* p, double* x) {
    const double speed = std::sqrt(p[0] * 1.4 / 0.6);
    const double state[] = {0.6 * 0.8, 0.6 * 0.6, -0.6 * speed, 0.8 * speed};
    for (int i = 0; i < 4; ++i) x[i] = state[i];
  }

  template <class T>
  struct Equations : PlanarMotion<T> {
    T mu, radius;

    POLHODE_HD explicit Equations(const double* p)
        : mu(static_cast<Real<T>>(p[0])), radius(static_cast<Real<T>>(p[1])) {}

    POLHODE_HD T potential(const Vec<T, 2>& q) const { return -(mu / sqrt(dot(q, q))); }
    POLHODE_HD Vec<T, 2> potential_gradient(const Vec<T, 2>& q) const {
      const T squared = dot(q, q);
      return (mu / (squared * sqrt(squared))) * q;
    }
    POLHODE_HD Mask<T> is_inside(const Vec<T, 2>& q, const Vec<T, 2>& p) const {
      const T turn = this->angular_momentum(q, p);
      return has_not_collided(q, p, turn * turn, mu, radius);
    }

    /// The vector of Laplace, Runge and Lenz over mu, towards the pericentre, (p x L)/mu - q/|q|.
    template <int axis>
    POLHODE_HD T eccentricity_vector(const Vec<T, 2>& q, const Vec<T, 2>& p) const {
      const T across = axis == 0 ? p[1] : -p[0], r = sqrt(dot(q, q));
      return fma(across * this->angular_momentum(q, p), r, -(mu * q[axis])) / (mu * r);
    }

    static constexpr DerivedRow<Equations, T, 2> derived[5] = {
        {planar_quantities[0], &Equations::angular_momentum},
        {planar_quantities[1], &Equations::distance},
        {planar_quantities[2], &Equations::radial_product},
        {{"e1", "1", "eccentricity vector, towards the pericentre; an integral"},
         &Equations::template eccentricity_vector<0>},
        {{"e2", "1", "eccentricity vector, towards the pericentre; an integral"},
         &Equations::template eccentricity_vector<1>},
    };
    static constexpr ConservedRow<Equations, T, 2> conserved[1] = {
        {planar_quantities[0], &Equations::angular_momentum}};
  };
};
using Kepler = MechanicalSystem<KeplerPhysics>;

}  // namespace polhode::inline POLHODE_ISA
