// Two spherical pendula, one hanging on the other, in the chart of cylindrical coordinates in which both rods hang
// downwards, z_i = -sqrt(l_i^2 - r_i^2) (Jalnapurkar, Leok, Marsden & West 2006, sect. 6): r_i is the distance of bob i
// from the vertical through the upper end of its rod, theta the azimuth of the first rod, phi that of the second less
// theta. Rotations about the vertical add to theta, so that it is cyclic over x = (r1, r2, phi):
//
//   I = m1 r1^2 + m2 (r1^2 + r2^2 + 2 r1 r2 cos phi)
//   I A = m2 (-r2 sin phi, r1 sin phi, r2^2 + r1 r2 cos phi)
//   V = -(m1 + m2) g sqrt(l1^2 - r1^2) - m2 g sqrt(l2^2 - r2^2)
//
// (The paper prints the connection without a factor m2, and leaves a term of it out of mu A.) The chart ends where a
// rod is vertical or horizontal, r_i = 0 or l_i; there rates grow without bound, though not those of the pendulum.
#pragma once

#include "polhode/scalar/elementary.hpp"
#include "polhode/system/cyclic_system.hpp"
#include "polhode/system/pendulum_chain.hpp"
#include "polhode/system/routh_reduced.hpp"

namespace polhode::inline POLHODE_ISA {

struct DoublePendulumShape {
  static constexpr bool spills_on_gpu = true;  ///< a step has more values than a GPU thread has registers
  static constexpr const char* locked_inertia = "I = m1 r1^2 + m2 (r1^2 + r2^2 + 2 r1 r2 cos phi)";
  static constexpr const char* connection = "I A = m2 (-r2 sin phi, r1 sin phi, r2^2 + r1 r2 cos phi)";
  static constexpr const char* potential = "V = -(m1 + m2) g sqrt(l1^2 - r1^2) - m2 g sqrt(l2^2 - r2^2)";
  static constexpr const char* lagrangian =
      "L = x'.M x'/2 + I (theta' + A.x')^2/2 - V = (m1 v1^2 + m2 v2^2)/2 - V,  x = (r1, r2, phi)";
  static constexpr const char* full_equations[] = {
      "H = (p - mu A).M^-1 (p - mu A)/2 + mu^2/(2 I) + V,  p = (p_r1, p_r2, p_phi)",
      lagrangian,
      locked_inertia,
      connection,
      potential,
  };
  static constexpr const char* reduced_equations[] = {
      "H = s.M^-1 s/2 + mu^2/(2 I) + V,  s = M x' = p - mu A",
      "x' = M^-1 s,  s' = d/dx (x'.M x'/2 - V - mu^2/(2 I)) - mu i_x' dA,  theta' = mu/I - A.x'",
      lagrangian,
      locked_inertia,
      connection,
      potential,
  };
  static constexpr CyclicSystemName full{"double-spherical-pendulum-cylindrical",
                                         "two spherical pendula, one hanging on the other, in cylindrical coordinates",
                                         full_equations},
      reduced{"double-spherical-pendulum-reduced",
              "two spherical pendula, one hanging on the other, modulo rotations about the vertical",
              reduced_equations};
  static constexpr const char* energy_unit = "mass length^2/time^2";
  static constexpr const char* sources[] = {"JalnapurkarLeokMarsdenWest2006"};
  static constexpr const char* edge =
      "it came to an edge of the chart, r1 = 0 or r2 = 0, where a rod is vertical, or r1 = l1 or r2 = l2, where it is "
      "horizontal";
  static constexpr int N = 3;

  static constexpr Quantity shape[] = {{"r1", "length", "distance of bob 1 from the vertical through the origin"},
                                       {"r2", "length", "distance of bob 2 from the vertical through bob 1"},
                                       {"phi", "rad", "azimuth of rod 2 less that of rod 1", Angle::unbounded}};
  static constexpr Quantity angle{"theta", "rad", "azimuth of rod 1", Angle::unbounded};
  static constexpr Quantity momenta[] = {{"p_r1", "mass length/time", "momentum of r1"},
                                         {"p_r2", "mass length/time", "momentum of r2"},
                                         {"p_phi", "mass length^2/time", "momentum of phi"},
                                         {"mu", "mass length^2/time", "angular momentum about the vertical"}};
  static constexpr Quantity reduced_momenta[] = {{"s1", "mass length/time", "reduced momentum of r1"},
                                                 {"s2", "mass length/time", "reduced momentum of r2"},
                                                 {"s3", "mass length^2/time", "reduced momentum of phi"}};

  static constexpr double default_g[1] = {9.81};
  static constexpr Parameter parameters[] = {
      {"m", "mass", 2, nullptr, Bound::positive, "masses of the bobs"},
      {"l", "length", 2, nullptr, Bound::positive, "lengths of the rods"},
      {"g", "length/time^2", 1, default_g, Bound::finite, "gravity, along -z"},
  };
  static constexpr double example_parameters[] = {1, 2, 1, 0.8, 1};
  static constexpr double example_momentum = 2.119705402694607634;
  static constexpr double example_step = 0.02;
  static CyclicMotion<double, 3> example_motion(const double* p) {
    const double l1 = p[2], l2 = p[3], g = p[4] < 0 ? -p[4] : p[4], rate = polhode::sqrt((g > 0 ? g : 1) / l1);
    return {{0.5 * l1, 0.5 * l2, 0.3}, {0.1 * rate * l1, -0.0625 * rate * l2, 0.2 * rate}, 0.25, 1.1 * rate};
  }

  using InSpace = DoubleSphericalPendulum;
  static const char* locate(const Vec<double, 6>& q, double* x) {
    x[0] = polhode::sqrt(fma(q[0], q[0], q[1] * q[1]));
    x[1] = polhode::sqrt(fma(q[3], q[3], q[4] * q[4]));
    x[2] = azimuth(fma(q[0], q[4], -(q[1] * q[3])), fma(q[0], q[3], q[1] * q[4]));
    x[3] = azimuth(q[1], q[0]);
    if (!(q[2] < 0 && q[5] < 0)) return "a rod does not hang downwards";
    return x[0] > 0 && x[1] > 0 ? nullptr : "a rod is vertical, and has no azimuth";
  }

  template <class T>
  struct Equations {
    T m1, m2, l1, l2, weight1, weight2;

    /// p: m[2], l[2], g.
    POLHODE_HD explicit Equations(const double* p)
        : m1(static_cast<Real<T>>(p[0])),
          m2(static_cast<Real<T>>(p[1])),
          l1(static_cast<Real<T>>(p[2])),
          l2(static_cast<Real<T>>(p[3])),
          weight1((m1 + m2) * T(static_cast<Real<T>>(p[4]))),
          weight2(m2 * T(static_cast<Real<T>>(p[4]))) {}

    POLHODE_HD CyclicMetric<T, 3> metric(const Vec<T, 3>& x) const {
      const T &r1 = x[0], &r2 = x[1], zero(Real<T>(0)), one(Real<T>(1));
      const SinCos<T> phi = sine_and_cosine(x[2]);
      // z_i' = slope_i r_i'.
      const T depth1 = depth(l1, r1), depth2 = depth(l2, r2), slope1 = r1 / depth1, slope2 = r2 / depth2;
      const T across = m2 * phi.sin, turned = r1 * phi.cos;
      const T m11 = (m1 + m2) * fma(slope1, slope1, one), m12 = m2 * fma(slope1, slope2, phi.cos);
      const T m22 = m2 * fma(slope2, slope2, one), m13 = -(across * r2), m33 = m2 * r2 * r2;
      const T inertia = fma(m1 + m2, r1 * r1, m2 * r2 * fma(T(Real<T>(2)), turned, r2));
      return cyclic_metric<T, 3>({{{m11, m12, m13}, {m12, m22, zero}, {m13, zero, m33}}},
                                 {m13, across * r1, m2 * r2 * (r2 + turned)}, inertia,
                                 -fma(weight1, depth1, weight2 * depth2));
    }
    POLHODE_HD Mask<T> is_inside(const Vec<T, 3>& x) const {
      const T zero(Real<T>(0));
      return (x[0] > zero) & (x[0] < l1) & (x[1] > zero) & (x[1] < l2);
    }

    POLHODE_HD Mask<T> is_near_edge(const CyclicMotion<T, 3>& motion, const T& h) const {
      const T& rate = motion.angle_rate;
      return is_near_edge(l1, motion.shape[0], motion.velocity[0], rate, h) |
             is_near_edge(l2, motion.shape[1], motion.velocity[1], rate + motion.velocity[2], h);
    }

    POLHODE_HD Vec<T, 6> position_in_space(const Vec<T, 3>& x, const T& theta) const {
      return {rod<0>(x, theta), rod<1>(x, theta), rod<2>(x, theta),
              rod<3>(x, theta), rod<4>(x, theta), rod<5>(x, theta)};
    }

    /// Component of a rod: 0, 1, 2 of the first, 3, 4, 5 of the second, as the columns of double-spherical-pendulum.
    template <int i>
    POLHODE_HD T rod(const CyclicMotion<T, 3>& motion) const {
      return rod<i>(motion.shape, motion.angle);
    }
    POLHODE_HD T angle_rate(const CyclicMotion<T, 3>& motion) const { return motion.angle_rate; }

    static constexpr CyclicRow<Equations, T, 3> derived[7] = {
        {{"theta_dot", "1/time", "rate of theta"}, &Equations::angle_rate},
        {{"q1x", "length", "rod 1, from the origin to bob 1"}, &Equations::template rod<0>},
        {{"q1y", "length", "rod 1, from the origin to bob 1"}, &Equations::template rod<1>},
        {{"q1z", "length", "rod 1, from the origin to bob 1"}, &Equations::template rod<2>},
        {{"q2x", "length", "rod 2, from bob 1 to bob 2"}, &Equations::template rod<3>},
        {{"q2y", "length", "rod 2, from bob 1 to bob 2"}, &Equations::template rod<4>},
        {{"q2z", "length", "rod 2, from bob 1 to bob 2"}, &Equations::template rod<5>},
    };

   private:
    template <int i>
    POLHODE_HD T rod(const Vec<T, 3>& x, const T& theta) const {
      const T &r = x[i / 3], &length = i < 3 ? l1 : l2;
      if constexpr (i % 3 == 2) return -depth(length, r);
      const SinCos<T> azimuth = sine_and_cosine(i < 3 ? theta : theta + x[2]);
      return r * (i % 3 == 0 ? azimuth.cos : azimuth.sin);
    }
    /// Lanes in which a rod comes to the edge of the chart; rate: that of its azimuth.
    POLHODE_HD static Mask<T> is_near_edge(const T& l, const T& r, const T& velocity, const T& rate, const T& h) {
      const T z = depth(l, r), along = velocity * (l / z), across = r * rate;
      const T speed = sqrt(fma(along, along, across * across));
      return is_near(r, speed, l, h) | is_near(z, speed, l, h);
    }
    /// sqrt(l^2 - r^2).
    POLHODE_HD static T depth(const T& l, const T& r) { return sqrt((l - r) * (l + r)); }
  };
};

using DoublePendulumCylindrical = CyclicSystem<DoublePendulumShape>;
using DoublePendulumReduced = RouthReduced<DoublePendulumShape>;

}  // namespace polhode::inline POLHODE_ISA
