#include "polhode/system/top_chart.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/math/vec.hpp"
#include "system/section_fibre.hpp"

namespace polhode {
namespace {

using Top = TopLevel<LinearPotential>;

/// Top with the parameters p[7], I1 I2 I3, chi1 chi2 chi3, c, at an energy and a momentum Pi.Gamma.
Top top_of(const double* p, double energy, double momentum) {
  return {p, {p[6] * p[3], p[6] * p[4]}, energy, momentum};
}

/// Computes the states over (m13, m12) on a side in closed form, where the potential is 0 on the section; returns their
/// number. Pi is then on the ellipsoid sum Pi_i^2 / I_i = 2 energy (McLachlan & Scovel 1995, sect. 6.2), and Gamma is a
/// unit vector at the angle to (Pi1, Pi2) that Pi.Gamma determines, on either side of (Pi1, Pi2).
int closed_form(const Top& top, int side, double m13, double m12, TopPoint* points) {
  const Vec<double, 3> flat{0.0, m13, -m12};
  const double pi1_squared = top.inertia[0] * (2 * top.energy - dot(flat, hadamard(top.inverse_inertia, flat)));
  if (!(pi1_squared > 0)) return 0;
  const double pi1 = side == 0 ? sqrt(pi1_squared) : -sqrt(pi1_squared);
  const double norm_squared = fma(pi1, pi1, m13 * m13);
  const double along = top.momentum / norm_squared;
  const double across = sqrt(norm_squared - top.momentum * top.momentum) / norm_squared;
  int count = 0;
  for (const double turn : {across, -across}) {
    const TopPoint x{{pi1, m13, -m12}, {fma(along, pi1, turn * m13), fma(along, m13, -(turn * pi1)), 0.0}};
    if (top.rising(x) > 0) points[count++] = x;
  }
  return count;
}

}  // namespace

ChartRange top_chart_range(const double* p, double energy) {
  const Top top = top_of(p, energy, 0);
  const double least = top.potential.least(), room = std::max(0.0, energy - least);
  return {{sqrt(2 * room * top.inertia[1]), sqrt(2 * room * top.inertia[2])}, least, most_momentum(top)};
}

int top_chart_points(const double* p, double energy, double momentum, int side, double m13, double m12,
                     TopPoint* points) {
  const Top top = top_of(p, energy, momentum);
  const bool is_flat = top.potential.a == 0 && top.potential.b == 0;
  return is_flat ? closed_form(top, side, m13, m12, points) : rising_states(top, side, m13, -m12, points);
}

int top_chart_points_by_roots(const double* p, double energy, double momentum, int side, double m13, double m12,
                              TopPoint* points) {
  return rising_states(top_of(p, energy, momentum), side, m13, -m12, points);
}

}  // namespace polhode
