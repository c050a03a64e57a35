// A satellite of an oblate planet (j2_satellite.hpp) in cylindrical coordinates, of which the longitude theta is cyclic
// over x = (r, z) (Jalnapurkar, Leok, Marsden & West 2006, sect. 5): M_hor = 1, A = 0, I = r^2, so that the reduced
// motion has no magnetic term and V_mu = V + mu^2/(2 r^2). (The paper prints the last term without r^2.)
#pragma once

#include "polhode/system/cyclic_system.hpp"
#include "polhode/system/j2_satellite.hpp"
#include "polhode/system/oblate_potential.hpp"
#include "polhode/system/orbit_nodes.hpp"
#include "polhode/system/routh_reduced.hpp"

namespace polhode::inline POLHODE_ISA {

struct J2SatelliteShape {
  static constexpr const char* full_equations[] = {
      "H = (pr^2 + pz^2 + mu^2/r^2)/2 - 1/R - J2/(2 R^3) (1 - 3 z^2/R^2),  R^2 = r^2 + z^2",
      satellite_units,
  };
  static constexpr const char* reduced_equations[] = {
      full_equations[0],
      "pr, pz conjugate to r, z;  theta' = mu/r^2",
      satellite_units,
  };
  static constexpr CyclicSystemName full{"j2-satellite-cylindrical",
                                         "satellite of an oblate planet, in cylindrical coordinates", full_equations},
      reduced{"j2-satellite-reduced", "satellite of an oblate planet, modulo rotations about its axis",
              reduced_equations};
  static constexpr const char* energy_unit = satellite_energy_unit;
  static constexpr const char* sources[] = {"JalnapurkarLeokMarsdenWest2006"};
  static constexpr const char* edge =
      "it came within `radius` of the centre, a collision, or to the edge of the chart, r = 0, the axis";
  static constexpr int N = 2;

  static constexpr Quantity shape[] = {{"r", "length", "distance from the axis"},
                                       {"z", "length", "height above the equator"}};
  static constexpr Quantity angle{"theta", "rad", "longitude", Angle::unbounded};
  static constexpr Quantity momenta[] = {{"pr", "length/time", "momentum of r per mass"},
                                         {"pz", "length/time", "momentum of z per mass"},
                                         {"mu", "length^2/time", "angular momentum about the axis per mass"}};
  static constexpr Quantity reduced_momenta[] = {momenta[0], momenta[1]};

  static constexpr const auto& parameters = satellite_parameters;
  static constexpr double example_parameters[] = {0.05, 0.01};
  static constexpr double example_momentum = 0.955336489125606;
  static constexpr double example_step = 0.05;
  /// A circular orbit about a sphere, inclined by 0.3.
  static CyclicMotion<double, 2> example_motion(const double*) {
    return {{1, 0}, {0, 0.29552020666133955}, 0, 0.955336489125606};
  }

  using InSpace = J2Satellite;
  static const char* locate(const Vec<double, 3>& q, double* x) {
    x[0] = polhode::sqrt(fma(q[0], q[0], q[1] * q[1]));
    x[1] = q[2];
    x[2] = azimuth(q[1], q[0]);
    return x[0] > 0 ? nullptr : "it is on the axis, where there is no longitude";
  }

  template <class T>
  struct Equations {
    OblatePotential<T> oblate;
    T radius;

    /// p: J2, radius.
    POLHODE_HD explicit Equations(const double* p)
        : oblate{T(static_cast<Real<T>>(p[0]))}, radius(static_cast<Real<T>>(p[1])) {}

    POLHODE_HD CyclicMetric<T, 2> metric(const Vec<T, 2>& x) const {
      const T zero(Real<T>(0)), one(Real<T>(1)), squared = x[0] * x[0];
      return {{{{one, zero}, {zero, one}}}, {zero, zero}, squared, oblate(squared, x[1])};
    }
    POLHODE_HD Mask<T> is_inside(const Vec<T, 2>& x) const {
      return (dot(x, x) >= radius * radius) & (x[0] > T(Real<T>(0)));
    }
    /// Lanes in which a motion comes to the axis.
    POLHODE_HD Mask<T> is_near_edge(const CyclicMotion<T, 2>& motion, const T& h) const {
      const T &r = motion.shape[0], &radial = motion.velocity[0], across = r * motion.angle_rate;
      return is_near(r, sqrt(fma(radial, radial, across * across)), distance(motion), h);
    }
    /// h L at the midpoint in Cartesian coordinates, in which rotations do not add. About a sphere its map conserves
    /// the whole angular momentum, so that orbits keep their plane.
    POLHODE_HD T discrete_lagrangian(const Vec<T, 2>& x0, const Vec<T, 2>& x1, const T& turn, const T& h) const {
      const SinCos<T> angle = sine_and_cosine(turn);
      const Vec<T, 3> ahead{x1[0] * angle.cos - x0[0], x1[0] * angle.sin, x1[1] - x0[1]};
      const T half(Real<T>(0.5)), along = fma(half, ahead[0], x0[0]), across = half * ahead[1];
      return half * (dot(ahead, ahead) / h) -
             h * oblate(fma(along, along, across * across), fma(half, ahead[2], x0[1]));
    }

    POLHODE_HD Vec<T, 3> position_in_space(const Vec<T, 2>& x, const T& theta) const {
      const SinCos<T> at = sine_and_cosine(theta);
      return {x[0] * at.cos, x[0] * at.sin, x[1]};
    }

    POLHODE_HD T distance(const CyclicMotion<T, 2>& motion) const { return sqrt(dot(motion.shape, motion.shape)); }
    POLHODE_HD T node(const CyclicMotion<T, 2>& motion) const {
      const auto [q, v] = in_space(motion);
      return longitude_of_node(q, v);
    }
    template <int i>
    POLHODE_HD T position(const CyclicMotion<T, 2>& motion) const {
      return in_space(motion).q[i];
    }
    POLHODE_HD T angle_rate(const CyclicMotion<T, 2>& motion) const { return motion.angle_rate; }
    POLHODE_HD T one(const CyclicMotion<T, 2>&) const { return T(Real<T>(1)); }

    static constexpr CyclicRow<Equations, T, 2> derived[5] = {
        {satellite_quantities[0], &Equations::distance},
        {satellite_quantities[1], &Equations::node, &Equations::one},
        {{"theta_dot", "1/time", "rate of theta"}, &Equations::angle_rate},
        {{"q1x", "length", "position"}, &Equations::template position<0>},
        {{"q1y", "length", "position"}, &Equations::template position<1>},
    };

   private:
    struct InSpace {
      Vec<T, 3> q, v;
    };
    POLHODE_HD InSpace in_space(const CyclicMotion<T, 2>& motion) const {
      const SinCos<T> theta = sine_and_cosine(motion.angle);
      const T &r = motion.shape[0], &radial = motion.velocity[0], across = r * motion.angle_rate;
      return {{r * theta.cos, r * theta.sin, motion.shape[1]},
              {fma(radial, theta.cos, -(across * theta.sin)), fma(radial, theta.sin, across * theta.cos),
               motion.velocity[1]}};
    }
  };
};

using J2SatelliteCylindrical = CyclicSystem<J2SatelliteShape>;
using J2SatelliteReduced = RouthReduced<J2SatelliteShape>;

}  // namespace polhode::inline POLHODE_ISA
