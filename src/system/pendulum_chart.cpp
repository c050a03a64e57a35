#include "polhode/system/pendulum_chart.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace polhode {

ChartRange PendulumChart<1>::chart_range(const double* p, double energy) {
  const double m = p[0], l = p[1], least = -m * std::abs(p[2]) * l;
  return {{l, std::sqrt(2 * m * std::max(energy - least, 0.0))}, least, 0};
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
  const double m1 = p[0], m2 = p[1], l1 = p[2], l2 = p[3];
  const double least = -std::abs(p[4]) * (m1 * l1 + m2 * (l1 + l2));
  const double most_inertia = m1 * l1 * l1 + m2 * (l1 + l2) * (l1 + l2);
  return {{l1, l2}, least, std::sqrt(2 * std::max(energy - least, 0.0) * most_inertia)};
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
