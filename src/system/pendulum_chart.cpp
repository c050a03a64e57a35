#include "polhode/system/pendulum_chart.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace polhode {
namespace {

struct Heights {
  double low, high;

  double middle() const { return (low + high) / 2; }
  double half() const { return (high - low) / 2; }
};

/// Heights z of a rod of length l, |z| <= l, for which the product of weight and z is at most `energy`.
Heights heights_below(double energy, double weight, double l) {
  if (std::abs(weight) * l <= energy) return {-l, l};
  const double end = std::clamp(energy / weight, -l, l);
  return weight > 0 ? Heights{-l, end} : Heights{end, l};
}

}  // namespace

ChartRange PendulumChart<1>::chart_range(const double* p, double energy) {
  const double m = p[0], l = p[1], depth = m * p[2] * l, least = -std::abs(depth);
  // The section's pz^2 = 2 m (E - depth s) (1 - s^2), s = z/l, has its maximum in [-1, 1] where 3 depth s^2 - 2 E s =
  // depth.
  const double most = energy + std::hypot(energy, std::sqrt(3.0) * depth), s = most > 0 ? -depth / most : 0;
  const double square = 2 * m * (energy - depth * s) * (1 - s * s);
  const Heights z = heights_below(energy, m * p[2], l);
  return {{z.half(), std::sqrt(std::max(square, 0.0))}, least, 0, {z.middle(), 0}};
}

int PendulumChart<1>::chart_states(const double* p, double energy, double /*momentum*/, int side, double z, double pz,
                                   double* x) {
  const double m = p[0], l = p[1], r_squared = l * l - z * z;
  if (!(r_squared > 0)) return 0;
  // |p|^2 = pz^2 (1 + z^2/r^2) + py^2, because q.p = 0 gives px = -pz z/r.
  const double py_squared = 2 * m * (energy - m * p[2] * z) - pz * pz * l * l / r_squared;
  if (!(py_squared > 0)) return 0;
  const double r = std::sqrt(r_squared), py = std::sqrt(py_squared);
  std::copy_n(std::initializer_list<double>{r, 0, z, -pz * z / r, side == 0 ? py : -py, pz}.begin(), 6, x);
  return 1;
}

ChartRange PendulumChart<2>::chart_range(const double* p, double energy) {
  const double m1 = p[0], m2 = p[1], l1 = p[2], l2 = p[3], weight1 = p[4] * (m1 + m2), weight2 = p[4] * m2;
  const double least = -std::abs(p[4]) * (m1 * l1 + m2 * (l1 + l2));
  const double most_inertia = m1 * l1 * l1 + m2 * (l1 + l2) * (l1 + l2);
  // Each rod is highest where the other one hangs.
  const Heights z1 = heights_below(energy + std::abs(weight2) * l2, weight1, l1),
                z2 = heights_below(energy + std::abs(weight1) * l1, weight2, l2);
  return {{z1.half(), z2.half()},
          least,
          std::sqrt(2 * std::max(energy - least, 0.0) * most_inertia),
          {z1.middle(), z2.middle()}};
}

int PendulumChart<2>::chart_states(const double* p, double energy, double momentum, int side, double z1, double z2,
                                   double* x) {
  const double m1 = p[0], m2 = p[1], r1_squared = p[2] * p[2] - z1 * z1, r2_squared = p[3] * p[3] - z2 * z2;
  if (!(r1_squared > 0 && r2_squared > 0)) return 0;
  const double r1 = std::sqrt(r1_squared), r2 = std::sqrt(r2_squared), reach = r1 + r2;
  const double kinetic = energy - p[4] * (m1 * z1 + m2 * (z1 + z2));
  const double inertia = m1 * r1_squared + m2 * reach * reach;
  const double rest = 2 * kinetic - momentum * momentum / inertia;  // twice the kinetic energy that J_z leaves
  if (!(rest > 0)) return 0;

  int count = 0;
  for (const double sign : {1.0, -1.0}) {
    // Along the line from its point closest to the origin, in the metric of the ellipse.
    const double along = sign * std::sqrt(rest / inertia);
    const double a = momentum * r1 / inertia - along * reach * std::sqrt(m2 / m1);
    const double b = momentum * reach / inertia + along * r1 * std::sqrt(m1 / m2);
    const double growth = (b - a) / r2 - a / r1;
    if (side == 0 ? growth <= 0 : growth >= 0) continue;
    std::copy_n(std::initializer_list<double>{r1, 0, z1, r2, 0, z2, 0, m1 * a + m2 * b, 0, 0, m2 * b, 0}.begin(), 12,
                x + 12 * count++);
  }
  return count;
}

}  // namespace polhode
