#include "polhode/system/vehicle_chart.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/system/underwater_vehicle_reduced.hpp"
#include "system/section_fibre.hpp"

namespace polhode {
namespace {

using System = UnderwaterVehicleReduced;

TopLevel<QuadraticPotential> level_of(const double* p, double energy, double momentum) {
  const System::Body<double> body(p);
  return {
      p + System::inertia_at, {body.weight[0], body.weight[1], body.stiffness[0], body.stiffness[1]}, energy, momentum};
}

}  // namespace

ChartRange vehicle_chart_range(const double* p, double energy) {
  const auto level = level_of(p, energy, 0);
  const double least = level.potential.least(), room = std::max(0.0, energy - least);
  return {
      {std::sqrt(2 * room * level.inertia[1]), std::sqrt(2 * room * level.inertia[2])}, least, most_momentum(level)};
}

int vehicle_chart_states(const double* p, double energy, double momentum, int side, double pi2, double pi3, double* x) {
  TopPoint points[max_chart_points];
  const int count = rising_states(level_of(p, energy, momentum), side, pi2, pi3, points);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < 3; ++i) {
      x[k * System::dim + i] = points[k].pi[i];
      x[k * System::dim + 3 + i] = points[k].gamma[i];
    }
  return count;
}

}  // namespace polhode
