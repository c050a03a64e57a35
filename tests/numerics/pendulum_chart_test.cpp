// The box of the starts of pendula on a section: all states are in it, and they come near all its sides.
#include "polhode/system/pendulum_chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace polhode::test {
namespace {

/// Extremes of the coordinates of the states over a grid of points, by whether chart_states() finds one.
struct Extent {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
};

/// cells: points along each side of [-u, u] x [-v, v], centres of equal cells.
template <int n>
Extent extent(const std::vector<double>& p, double energy, double u, double v, int cells) {
  Extent all;
  double x[max_chart_points * 6 * n];
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j) {
      const double at[2] = {u * ((2 * i + 1.0) / cells - 1), v * ((2 * j + 1.0) / cells - 1)};
      if (PendulumChart<n>::chart_states(p.data(), energy, 0, 0, at[0], at[1], x) == 0) continue;
      for (int k = 0; k < 2; ++k) {
        all.low[k] = std::min(all.low[k], at[k]);
        all.high[k] = std::max(all.high[k], at[k]);
      }
    }
  return all;
}

/// The box of `range` and the extent of the states differ by `spacing` at most, and the box is not the smaller one.
void expect_box(const ChartRange& range, const Extent& found, const double (&spacing)[2], const char* where) {
  for (int k = 0; k < 2; ++k) {
    const double low = range.centre[k] - range.half_axes[k], high = range.centre[k] + range.half_axes[k];
    EXPECT_LE(low, found.low[k]) << where;
    EXPECT_GE(high, found.high[k]) << where;
    EXPECT_NEAR(low, found.low[k], spacing[k]) << where;
    EXPECT_NEAR(high, found.high[k], spacing[k]) << where;
  }
}

/// Levels between the lowest energy and four times its size above 0, gravity upwards and downwards, and none.
constexpr double levels[] = {-0.95, -0.5, 0.0, 0.3, 0.99, 1.0, 1.01, 4.0};

TEST(PendulumChart, BoxIsThatOfAllStates) {
  std::mt19937_64 random(43);
  std::uniform_real_distribution<double> uniform(0.3, 2);
  constexpr int cells = 2000;
  for (const double g : {1.3, -1.3, 0.0})
    for (const double level : levels) {
      const double m = uniform(random), l = uniform(random), depth = m * std::abs(g) * l;
      const double energy = g == 0 ? 2 + level : level * depth, most = std::sqrt(2 * m * (energy + depth));
      // Near its sides the section ends like a parabola of curvature about 1 over its half axis: a point that is half
      // a cell from the top is as far as two cells across.
      expect_box(PendulumChart<1>::chart_range(std::vector{m, l, g}.data(), energy),
                 extent<1>({m, l, g}, energy, l, most, cells), {8 * l / cells, 8 * most / cells},
                 g > 0 ? "down" : "up");
    }
}

TEST(DoublePendulumSection, BoxIsThatOfAllStates) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(0.3, 2);
  constexpr int cells = 1000;
  for (const double g : {1.0, -1.0, 0.0})
    for (const double level : levels) {
      const std::vector<double> p{uniform(random), uniform(random), uniform(random), uniform(random), g};
      const double depth = std::abs(g) * (p[0] * p[2] + p[1] * (p[2] + p[3]));
      const double energy = g == 0 ? 2 + level : level * depth;
      // A cell of a rod's own height, and half a cell of the other one's, whose energy it lacks.
      const double share = p[1] / (p[0] + p[1]), cell1 = 2 * p[2] / cells, cell2 = 2 * p[3] / cells;
      expect_box(PendulumChart<2>::chart_range(p.data(), energy), extent<2>(p, energy, p[2], p[3], cells),
                 {cell1 + 0.5 * share * cell2, cell2 + 0.5 / share * cell1}, g > 0 ? "down" : "up");
    }
}

}  // namespace
}  // namespace polhode::test
