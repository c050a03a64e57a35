// A point of unit mass in a plane, in a central potential that is a polynomial:
//
//   H = |p|^2/2 + V(q),   V = k2 r^2/2 + k4 r^4/4 + k6 r^6/6,   r = |q|
//
// Integrable: the angular momentum is conserved (Pierce 1994, sect. 4, 5, on methods that keep it). Where V decreases
// without bound beyond a last barrier, at a radius that no bounded orbit reaches, a trajectory leaves the domain at ten
// times that radius: it has escaped.
#pragma once

#include <array>
#include <limits>

#include "polhode/system/mechanical_system.hpp"
#include "polhode/system/planar_motion.hpp"

namespace polhode::inline POLHODE_ISA {

struct CentralPhysics {
  static constexpr const char* name = "central";
  static constexpr const char* meaning = "point mass in a plane in the potential k2 r^2/2 + k4 r^4/4 + k6 r^6/6";
  static constexpr const char* sources[] = {"HairerLubichWanner2006"};
  static constexpr const char* equations[] = {"H = |p|^2/2 + k2 r^2/2 + k4 r^4/4 + k6 r^6/6,  r = |q|"};
  static constexpr const char* energy_unit = planar_energy_unit;
  static constexpr const char* edge = "it escaped over the last barrier of the potential, to ten times its radius";
  static constexpr bool open = true;
  static constexpr int N = 2, D = 0;
  static constexpr auto columns = planar_columns;
  static constexpr double defaults[] = {1, 1, 0};
  static constexpr Parameter parameters[] = {
      {"k2", "1/time^2", 1, defaults, Bound::finite, "of the potential, beside r^2/2"},
      {"k4", "1/(length^2 time^2)", 1, defaults + 1, Bound::finite, "of the potential, beside r^4/4"},
      {"k6", "1/(length^4 time^2)", 1, defaults + 2, Bound::finite, "of the potential, beside r^6/6"},
  };
  static constexpr double example_parameters[] = {1, 1, 0};
  static constexpr double example_step = 0.05;
  static void example_state(const double*, double* x) {
    constexpr double state[] = {0.9, -0.2, 0.3, 0.7};
    for (int i = 0; i < 4; ++i) x[i] = state[i];
  }

  template <class T>
  struct Equations : PlanarMotion<T> {
    T k2, k4, k6, most_squared;  ///< most_squared: of the radius, inside the domain

    POLHODE_HD explicit Equations(const double* p)
        : k2(static_cast<Real<T>>(p[0])),
          k4(static_cast<Real<T>>(p[1])),
          k6(static_cast<Real<T>>(p[2])),
          most_squared(static_cast<Real<T>>(100 * barrier_squared(p))) {}

    POLHODE_HD T potential(const Vec<T, 2>& q) const {
      const T half(Real<T>(0.5)), quarter(Real<T>(0.25)), sixth = T(Real<T>(1)) / T(Real<T>(6)), r2 = dot(q, q);
      return r2 * fma(r2, fma(r2, sixth * k6, quarter * k4), half * k2);
    }
    POLHODE_HD Vec<T, 2> potential_gradient(const Vec<T, 2>& q) const {
      const T r2 = dot(q, q);
      return fma(r2, fma(r2, k6, k4), k2) * q;
    }

    POLHODE_HD Mask<T> is_inside(const Vec<T, 2>& q) const { return dot(q, q) <= most_squared; }

    static constexpr DerivedRow<Equations, T, 2> derived[3] = {
        {planar_quantities[0], &Equations::angular_momentum},
        {planar_quantities[1], &Equations::distance},
        {planar_quantities[2], &Equations::radial_product},
    };
    static constexpr ConservedRow<Equations, T, 2> conserved[1] = {
        {planar_quantities[0], &Equations::angular_momentum}};

   private:
    /// The largest s = r^2 at which V' / r = k2 + k4 s + k6 s^2 is zero, if it is negative beyond; else infinite.
    POLHODE_HD static double barrier_squared(const double* p) {
      double squared = 0;
      if (p[2] < 0) {
        const double discriminant = fma(p[1], p[1], -(4 * p[2] * p[0]));
        if (discriminant > 0) squared = (p[1] + sqrt(discriminant)) / (-2 * p[2]);
      } else if (p[2] == 0 && p[1] < 0) {
        squared = -(p[0] / p[1]);
      }
      return squared > 0 ? squared : std::numeric_limits<double>::infinity();
    }
  };
};
using Central = MechanicalSystem<CentralPhysics>;

}  // namespace polhode::inline POLHODE_ISA
