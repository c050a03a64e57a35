// The spherical pendulum and the magnetic pendulum of the catalog, on a rod of length 1, written out for any numbers:
//
//   H = |p - a(q)|^2 / (2 (1 + k z)) + g z,   a(q) = b (-y, x, 0),   c = (|q|^2 - 1) / 2 = 0
//
// with k = b = 0 for the first one. The same sphere is also that of (1 + s x) c = 0.
#pragma once

#include <cmath>
#include <ostream>
#include <random>

#include "polhode/math/vec.hpp"

namespace polhode::test {

template <class T>
using Triple = Vec<T, 3>;

struct RodPendulum {
  const char* name;
  double gravity = 1, growth = 0, field = 0;
  double tilt = 0;  ///< s

  friend void PrintTo(const RodPendulum& rod, std::ostream* to) { *to << rod.name; }

  template <class T>
  T hamiltonian(const Triple<T>& q, const Triple<T>& p) const {
    const Triple<T> m = kinetic(q, p);
    return 0.5 * dot(m, m) * inverse_mass(q) + gravity * q[2];
  }
  /// H_p.
  template <class T>
  Triple<T> velocity(const Triple<T>& q, const Triple<T>& p) const {
    return inverse_mass(q) * kinetic(q, p);
  }
  /// H_q.
  template <class T>
  Triple<T> slope(const Triple<T>& q, const Triple<T>& p) const {
    const Triple<T> v = velocity(q, p);
    return {-field * v[1], field * v[0], gravity - 0.5 * growth * dot(v, v)};
  }
  template <class T>
  T constraint(const Triple<T>& q) const {
    return 0.5 * (1.0 + tilt * q[0]) * (dot(q, q) - 1.0);
  }
  /// G(q).
  template <class T>
  Triple<T> normal(const Triple<T>& q) const {
    Triple<T> normal = (1.0 + tilt * q[0]) * q;
    if (tilt != 0) normal[0] = normal[0] + 0.5 * tilt * (dot(q, q) - 1.0);
    return normal;
  }
  /// G(q) H_p.
  template <class T>
  T hidden_constraint(const Triple<T>& q, const Triple<T>& p) const {
    return dot(normal(q), velocity(q, p));
  }
  /// G H_pp G^T, a number.
  double schur(const Triple<double>& q) const { return inverse_mass(q) * dot(normal(q), normal(q)); }

  /// The momentum on the hidden constraint that differs from p by G^T.
  Triple<double> lifted(const Triple<double>& q, const Triple<double>& p) const {
    return p - (hidden_constraint(q, p) / schur(q)) * normal(q);
  }

 private:
  template <class T>
  Triple<T> kinetic(const Triple<T>& q, const Triple<T>& p) const {
    if (field == 0) return p;
    return {p[0] + field * q[1], p[1] - field * q[0], p[2]};
  }
  template <class T>
  T inverse_mass(const Triple<T>& q) const {
    return growth == 0 ? T(1) : 1.0 / (1.0 + growth * q[2]);
  }
};

/// Pendula that claims are shown on, with weight 1.
inline constexpr RodPendulum spherical_rod{"spherical"}, magnetic_rod{"magnetic", 1, 0.3, 0.4};

/// Position and momentum.
struct PointOfRod {
  Triple<double> q, p;
};

/// On the constraints, but for the momentum, which is lifted where asked for.
inline PointOfRod random_point_of(const RodPendulum& rod, std::mt19937_64& random, bool is_lifted = true) {
  std::normal_distribution<double> normal;
  PointOfRod point;
  for (double& x : point.q.v) x = normal(random);
  for (double& x : point.p.v) x = normal(random);
  point.q = (1 / std::sqrt(dot(point.q, point.q))) * point.q;
  if (is_lifted) point.p = rod.lifted(point.q, point.p);
  return point;
}

}  // namespace polhode::test
