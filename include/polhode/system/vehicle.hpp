// Common part of the systems of a body in an ideal fluid: parameters, and conditions for integrals (Kirchhoff 1870;
// Leonard & Marsden 1997).
//
//   L = 1/2 Omega.J Omega + Omega.D v + 1/2 v.M v - c Gamma.chi,   Gamma = R^T e3
//
// with the rates Omega and v of the attitude R and the position x in the body, R' = R hat(Omega), x' = R v, and
//
//   Pi = J Omega + D v,   P = D^T Omega + M v
//
// J and M contain the fluid that moves with the body. With the origin in the centre of buoyancy, and the centre of
// gravity of the mass m at l chi, D = m l hat(chi) and c = m g l. D = 0, c = 0 is a body whose centres coincide.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

struct Vehicle {
  static constexpr double no_coupling[9] = {};
  static constexpr double no_weight[] = {0};
  static constexpr double below[] = {0, 0, -1};
  static constexpr Parameter parameters[] = {
      {"inertia", "mass length^2", 3, nullptr, Bound::positive, "J: principal moments, of the body and its fluid"},
      {"mass", "mass", 3, nullptr, Bound::positive, "M: mass along the axes, of the body and its fluid"},
      {"coupling", "mass length", 9, no_coupling, Bound::finite, "D row by row: kinetic energy Omega.D v"},
      {"c", "mass length^2/time^2", 1, no_weight, Bound::finite, "mass x gravity x distance of the centres"},
      {"chi", "1", 3, below, Bound::unit_vector, "from the centre of buoyancy to that of gravity, body frame"},
  };
  /// Places of the parameters in the flat array.
  static constexpr int inertia_at = 0, mass_at = 3, coupling_at = 6, weight_at = 15, chi_at = 16, n_parameters = 19;

  /// d_i with J1 = d2 + d3 and cyclic, from J in p[3].
  POLHODE_HD static double second_moment(const double* p, int i) {
    return 0.5 * (p[(i + 1) % 3] + p[(i + 2) % 3] - p[i]);
  }

  static bool has_coupling(const double* p) {
    for (int i = 0; i < 9; ++i)
      if (p[coupling_at + i] != 0) return true;
    return false;
  }
  // Conditions under which integrals exist, for the parameters p, checked up to round-off of decimal input. Host only.
  static bool is_neutral(const double* p, const double* /*x*/ = nullptr) { return p[weight_at] == 0; }
  /// Body of revolution about axis 3 (Kirchhoff): Pi3 is conserved.
  static bool has_axis(const double* p, const double* /*x*/ = nullptr) {
    return same(p[0], p[1]) && same(p[mass_at], p[mass_at + 1]) && !has_coupling(p) &&
           (is_neutral(p) || (p[chi_at] == 0 && p[chi_at + 1] == 0));
  }
  /// Clebsch's case: 1/M_i = a + b J_i, with moments that are not all the same.
  static bool is_clebsch(const double* p, const double* /*x*/ = nullptr) {
    const double *J = p, *M = p + mass_at;
    if (!is_neutral(p) || has_coupling(p) || (same(J[0], J[1]) && same(J[1], J[2]))) return false;
    double sum = 0, size = 0;
    for (int i = 0; i < 3; ++i) {
      const double first = J[i] / M[(i + 1) % 3], second = J[i] / M[(i + 2) % 3];
      sum += first - second;
      size += first + second;
    }
    return polhode::abs(sum) <= 1e-14 * size;
  }
  /// b of Clebsch's case, from the two moments that are the farthest apart; p[6]: J and M.
  POLHODE_HD static double clebsch_slope(const double* p) {
    int i = 0;
    for (int k = 1; k < 3; ++k)
      if (polhode::abs(p[k] - p[(k + 1) % 3]) > polhode::abs(p[i] - p[(i + 1) % 3])) i = k;
    const int j = (i + 1) % 3;
    return (1 / p[mass_at + i] - 1 / p[mass_at + j]) / (p[i] - p[j]);
  }
  /// |Pi|^2/2 - b/2 (J2 J3 P1^2 + J3 J1 P2^2 + J1 J2 P3^2), conserved in Clebsch's case.
  template <class T>
  POLHODE_HD static T clebsch(const double* p, const Vec<T, 3>& pi, const Vec<T, 3>& impulse) {
    const double b = clebsch_slope(p);
    T sum = dot(pi, pi);
    unroll<3>([&](int i) POLHODE_LAMBDA {
      const T weight(static_cast<Real<T>>(-b * (p[(i + 1) % 3] * p[(i + 2) % 3])));
      sum = fma(weight * impulse[i], impulse[i], sum);
    });
    return T(Real<T>(0.5)) * sum;
  }

  static constexpr Quantity body_momenta[] = {
      {"pi1", "mass length^2/time", "body angular momentum, axis 1"},
      {"pi2", "mass length^2/time", "body angular momentum, axis 2"},
      {"pi3", "mass length^2/time", "body angular momentum, axis 3"},
  };
  static constexpr Quantity impulses[] = {
      {"impulse1", "mass length/time", "body linear momentum P, axis 1"},
      {"impulse2", "mass length/time", "body linear momentum P, axis 2"},
      {"impulse3", "mass length/time", "body linear momentum P, axis 3"},
  };
  static constexpr Quantity pi3_of_axis = {"pi3", "mass length^2/time",
                                           "of a body of revolution (J1 = J2, M1 = M2, D = 0, chi = +-e3 or c = 0)"};
  static constexpr Quantity clebsch_integral = {"clebsch", "mass^2 length^4/time^2",
                                                "Clebsch's integral (1/M_i = a + b J_i, D = 0, c = 0)"};

  static bool same(double a, double b) { return a - b <= 1e-14 * a && b - a <= 1e-14 * a; }

  // The body of the examples: a homogeneous ellipsoid that floats, semi-axes 1, 0.8, 0.4, with its fluid, in units of
  // its mass.
  static constexpr double example_inertia[] = {0.218, 0.357, 0.335};
  static constexpr double example_mass[] = {1.234, 1.341, 2.253};
};

}  // namespace polhode::inline POLHODE_ISA
