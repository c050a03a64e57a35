// States from points of a section (system/top_chart.hpp): they are states of the section, and all of them, which a scan
// of another equation in another unknown shows.
#include "polhode/system/top_chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "support/heavy_top.hpp"

namespace polhode::test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A point of the plane, and what all states over it have in common.
struct Place {
  TopParameters body;
  double energy, momentum, m13, m12;
};

using Finder = decltype(top_chart_points);

std::vector<TopPoint> states_over(const Place& place, int side, Finder* find = top_chart_points) {
  std::vector<TopPoint> points(max_chart_points);
  points.resize(find(place.body.data(), place.energy, place.momentum, side, place.m13, place.m12, points.data()));
  return points;
}

/// Gamma3' = Gamma1 Omega2 - Gamma2 Omega1.
double rising(const Place& place, const TopPoint& x) {
  return x.gamma[0] * x.pi[1] / place.body[1] - x.gamma[1] * x.pi[0] / place.body[0];
}

/// Gamma1 Pi2 - Gamma2 Pi1 > 0: the group that comes first.
bool first_group(const TopPoint& x) { return x.gamma[0] * x.pi[1] - x.gamma[1] * x.pi[0] > 0; }

/// How far x is from a state of the section, in units of the last place of the terms that must cancel. The numbers of
/// x are rounded, which alone leaves an error of half a unit of each term: the bound of the tests is 4 units.
double worst_error(const Place& place, const TopPoint& x) {
  const TopParameters& p = place.body;
  struct Sum {
    long double total = 0, size = 0;
    void add(long double term) {
      total += term;
      size += std::abs(term);
    }
    double error() const { return static_cast<double>(std::abs(total) / (size * epsilon)); }
  } energy, norm, momentum;
  energy.add(-place.energy);
  norm.add(-1);
  momentum.add(-place.momentum);
  for (int i = 0; i < 3; ++i) {
    const long double pi = x.pi[i], gamma = x.gamma[i];
    energy.add(pi * pi / (2 * p[i]));
    energy.add(static_cast<long double>(p[6] * p[3 + i]) * gamma);
    norm.add(gamma * gamma);
    momentum.add(pi * gamma);
  }
  return std::max({energy.error(), norm.error(), momentum.total == 0 ? 0 : momentum.error()});
}

void expect_states_of_the_section(const Place& place, int side, const std::vector<TopPoint>& points) {
  for (const TopPoint& x : points) {
    EXPECT_EQ(x.pi[1], place.m13);
    EXPECT_EQ(x.pi[2], -place.m12);
    EXPECT_EQ(x.gamma[2], 0);
    EXPECT_EQ(std::signbit(x.pi[0]), side == 1);
    EXPECT_GT(rising(place, x), 0);
    EXPECT_LT(worst_error(place, x), 4);
  }
  // The order of the names.
  for (std::size_t k = 1; k < points.size(); ++k) {
    const bool first = first_group(points[k]), first_before = first_group(points[k - 1]);
    EXPECT_GE(first_before, first);
    if (first == first_before) {
      EXPECT_GT(std::abs(points[k - 1].pi[0]), std::abs(points[k].pi[0]));
    }
  }
}

/// The other way: a state over the place by Pi1 and a turn. Gamma is the unit vector whose product with (Pi1, Pi2) is
/// the momentum, on one side of it or the other, and what is left is the energy.
struct Scan {
  const Place& place;

  TopPoint point(double pi1, int turn) const {
    const double squared = pi1 * pi1 + place.m13 * place.m13, along = place.momentum / squared;
    const double across = turn * std::sqrt(std::max(0.0, squared - place.momentum * place.momentum)) / squared;
    return {{pi1, place.m13, -place.m12}, {along * pi1 + across * place.m13, along * place.m13 - across * pi1, 0}};
  }
  bool exists(double pi1) const {
    return pi1 * pi1 + place.m13 * place.m13 > place.momentum * place.momentum && pi1 != 0;
  }
  double excess(double pi1, int turn) const {
    const TopParameters& p = place.body;
    const TopPoint x = point(pi1, turn);
    double energy = p[6] * (p[3] * x.gamma[0] + p[4] * x.gamma[1]) - place.energy;
    for (int i = 0; i < 3; ++i) energy += x.pi[i] * x.pi[i] / (2 * p[i]);
    return energy;
  }

  /// Rising states on a side with |Pi1| in the cells of width `cell` up to `most`, to the width of a cell.
  std::vector<TopPoint> states(int side, double most, int cells) const {
    std::vector<TopPoint> found;
    const double sign = side == 0 ? 1 : -1;
    for (const int turn : {1, -1}) {
      double before = 0;
      bool existed = false;
      for (int k = 0; k <= cells; ++k) {
        const double pi1 = sign * most * (k + 1e-3) / cells;
        const bool exist = exists(pi1);
        const double now = exist ? excess(pi1, turn) : 0;
        if (exist && existed && (now < 0) != (before < 0)) {
          double a = sign * most * (k - 1 + 1e-3) / cells, b = pi1;
          for (int n = 0; n < 60; ++n) {
            const double middle = 0.5 * (a + b);
            ((excess(middle, turn) < 0) == (before < 0) ? a : b) = middle;
          }
          if (const TopPoint x = point(a, turn); rising(place, x) > 0) found.push_back(x);
        }
        before = now;
        existed = exist;
      }
    }
    return found;
  }
};

double distance(const TopPoint& x, const TopPoint& y) {
  return std::hypot(x.pi[0] - y.pi[0], std::hypot(x.gamma[0] - y.gamma[0], x.gamma[1] - y.gamma[1]));
}

struct Tally {
  int compared = 0, unseen_by_scan = 0, several = 0;
};

/// Every state that the scan sees is found. A state that the scan does not see is beside another, where both lie within
/// a few of its cells, or next to an end of the scan.
void expect_complete(const Place& place, int cells, Tally& tally) {
  const TopParameters& p = place.body;
  const double most = 1.01 * std::sqrt(2 * p[0] * (place.energy + std::abs(p[6]))), cell = most / cells;
  for (int side = 0; side < 2; ++side) {
    const auto found = states_over(place, side);
    expect_states_of_the_section(place, side, found);
    tally.several += found.size() > 1;
    auto unmatched = found;
    const auto scanned = Scan{place}.states(side, most, cells);
    for (const TopPoint& x : scanned) {
      const auto nearest = std::min_element(unmatched.begin(), unmatched.end(), [&](const auto& a, const auto& b) {
        return distance(a, x) < distance(b, x);
      });
      ASSERT_NE(nearest, unmatched.end()) << "Pi1 = " << x.pi[0];
      // Where two solutions are near each other or Gamma is along Pi both are known to the root of round-off only.
      EXPECT_LT(distance(*nearest, x), 1e-6) << "Pi1 = " << x.pi[0];
      unmatched.erase(nearest);
      ++tally.compared;
    }
    for (const TopPoint& x : unmatched) {
      ++tally.unseen_by_scan;
      const double squared = x.pi[0] * x.pi[0] + x.pi[1] * x.pi[1], edge = squared - place.momentum * place.momentum;
      const bool at_edge = edge < 4 * std::abs(x.pi[0]) * cell + 4 * cell * cell || std::abs(x.pi[0]) < 2 * cell;
      // The change of the excess with Pi1 is small where two solutions are about to merge.
      const Scan scan{place};
      const int turn = first_group(x) ? 1 : -1;
      const bool at_fold =
          !at_edge && (scan.excess(x.pi[0] + 2 * cell, turn) < 0) == (scan.excess(x.pi[0] - 2 * cell, turn) < 0);
      EXPECT_TRUE(at_edge || at_fold) << "Pi1 = " << x.pi[0] << " of " << most;
    }
  }
}

/// Places in the box of a body at some energy and momentum.
template <class Generator>
Place random_place(Generator& random, const TopParameters& body, double energy, double momentum) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const ChartRange range = top_chart_range(body.data(), energy);
  const double m13 = range.half_axes[0] * uniform(random);
  return {body, energy, momentum, m13, range.half_axes[1] * uniform(random)};
}

TEST(TopChart, AllStatesOfRandomTops) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Tally tally;
  for (int trial = 0; trial < 300; ++trial) {
    TopParameters body = random_body(random);
    if (trial % 3 == 0) body[trial / 3 % 3] *= 0.05;  // far from a sphere, where one point has several states
    const double least = top_chart_range(body.data(), 0).least_energy;
    const double energy = least * (1 - 3 * std::abs(uniform(random)));
    const double momentum =
        trial % 4 == 0 ? 0 : 0.7 * uniform(random) * top_chart_range(body.data(), energy).most_momentum;
    expect_complete(random_place(random, body, energy, momentum), 100000, tally);
  }
  EXPECT_GT(tally.compared, 100);
  EXPECT_GT(tally.several, 10);
  EXPECT_LT(tally.unseen_by_scan, 10);
  RecordProperty("compared", tally.compared);
  RecordProperty("unseen_by_scan", tally.unseen_by_scan);
}

TEST(TopChart, LagrangeAndKowalevskiTops) {
  const TopParameters lagrange{1.5, 1.5, 0.9, 0, 0, 1, 1}, kowalevski{2, 2, 1, 1, 0, 0, 1};
  std::mt19937_64 random(5);
  Tally tally;
  for (const TopParameters& body : {lagrange, kowalevski})
    for (const double energy : {0.3, 1.0, 2.0})
      for (const double part : {0.0, 0.25, -0.5}) {
        const double momentum = part * top_chart_range(body.data(), energy).most_momentum;
        for (int trial = 0; trial < 8; ++trial)
          expect_complete(random_place(random, body, energy, momentum), 20000, tally);
        // The middle of the grid, where Pi2 = Pi3 = 0 and at momentum 0 both sides have states at Gamma1 = 0.
        expect_complete({body, energy, momentum, 0, 0}, 20000, tally);
      }
  EXPECT_GT(tally.compared, 100);
  EXPECT_LT(tally.unseen_by_scan, 10);
}

TEST(TopChart, MiddleColumnAtMomentumZero) {
  // Where Pi2 = Pi.Gamma = 0 either Gamma1 = 0, with Gamma2 against the sign of Pi1 for rising, or Pi1 = 0, which is
  // tangent to the section and no start. Both sides of F have double roots there.
  std::mt19937_64 random(23);
  int states = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const TopParameters p = random_body(random);
    const double depth = std::abs(p[6]) * std::hypot(p[3], p[4]), energy = depth * (0.004 * trial - 0.95);
    const double m12 = 0.3 * top_chart_range(p.data(), energy).half_axes[1], b = p[6] * p[4];
    for (int side = 0; side < 2; ++side) {
      const double gamma2 = side == 0 ? -1 : 1, pi1_squared = p[0] * (2 * (energy - b * gamma2) - m12 * m12 / p[2]);
      const auto found = states_over({p, energy, 0, 0, m12}, side);
      ASSERT_EQ(found.size(), pi1_squared > 0 ? 1u : 0u) << "trial " << trial;
      if (found.empty()) continue;
      ++states;
      EXPECT_NEAR(found[0].pi[0], -gamma2 * std::sqrt(pi1_squared),
                  8 * epsilon * (p[0] + 1) * (std::abs(energy) + 1) / std::sqrt(pi1_squared));
      EXPECT_NEAR(found[0].gamma[0], 0, 2 * epsilon);
      EXPECT_EQ(found[0].gamma[1], gamma2);
    }
  }
  EXPECT_GT(states, 400);
}

TEST(TopChart, AStateNearTheRimIsOnOneSide) {
  // The rim direction with Pi1 = 0, and a momentum that makes it a state, or nearly: as the momentum passes, the state
  // goes from one side to the other and is on just one of them.
  std::mt19937_64 random(29);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int sides[2] = {0, 0};
  for (int trial = 0; trial < 2000; ++trial) {
    const TopParameters p = random_body(random);
    const double a = p[6] * p[3], b = p[6] * p[4], angle = 3 * uniform(random);
    const double x = std::cos(angle), y = std::sin(angle), m13 = std::copysign(0.2 + std::abs(uniform(random)), x);
    if (std::abs(x) < 0.1) continue;  // tangent
    const double m12 = uniform(random), energy = a * x + b * y + m13 * m13 / (2 * p[1]) + m12 * m12 / (2 * p[2]);
    for (const double off : {0.0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9}) {
      const Place place{p, energy, m13 * y + off, m13, m12};
      int near = 0;
      for (int side = 0; side < 2; ++side) {
        const auto found = states_over(place, side);
        for (const TopPoint& state : found) {
          if (std::hypot(state.gamma[0] - x, state.gamma[1] - y) > 1e-5 || std::abs(state.pi[0]) > 1e-5) continue;
          EXPECT_LT(worst_error(place, state), 4);
          ++near;
          ++sides[side];
        }
      }
      EXPECT_EQ(near, 1) << "trial " << trial << ", off by " << off;
    }
  }
  EXPECT_GT(sides[0], 5000);
  EXPECT_GT(sides[1], 5000);
}

TEST(TopChart, BothRoutesAgreeWhereGravityHasNoPart) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int states = 0, several = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    TopParameters body = random_body(random);
    if (trial % 2 == 0) body[trial / 2 % 3] *= 0.05;
    body[3] = body[4] = 0;
    body[5] = trial % 4 < 2 ? 1 : -1;
    if (trial % 5 == 0) body = {body[0], body[1], body[2], 0.6, 0, 0.8, 0};  // a free body, whatever chi is
    const double energy = 0.1 + std::abs(uniform(random));
    const double momentum =
        trial % 3 == 0 ? 0 : 0.7 * uniform(random) * top_chart_range(body.data(), energy).most_momentum;
    const Place place = random_place(random, body, energy, momentum);
    for (int side = 0; side < 2; ++side) {
      const auto closed = states_over(place, side), solved = states_over(place, side, top_chart_points_by_roots);
      expect_states_of_the_section(place, side, solved);
      ASSERT_EQ(closed.size(), solved.size()) << "trial " << trial;
      states += static_cast<int>(closed.size());
      several += closed.size() > 1;
      for (std::size_t k = 0; k < closed.size(); ++k) {
        // Two states, of one |Pi1| here, may differ by a small angle d; each is then known to epsilon / d only.
        const TopPoint& x = closed[k];
        const double d = std::abs(x.gamma[0] * x.pi[1] - x.gamma[1] * x.pi[0]) / std::hypot(x.pi[0], x.pi[1]);
        // And Pi1 near the rim is the root of a difference.
        const double conditioning = (1 / d) * (1 + energy / std::abs(x.pi[0]));
        EXPECT_LT(distance(x, solved[k]), 8 * epsilon * conditioning * (1 + std::abs(x.pi[0]))) << "trial " << trial;
      }
    }
  }
  EXPECT_GT(states, 3000);
  EXPECT_GT(several, 10);
}

TEST(TopChart, NeighbouringPlacesHaveNeighbouringStatesOfOneName) {
  // Along a line through the plane of the Kowalevski top and of a flat body, at momentum 0 and another: while their
  // number stays, the states of one name move little, and less for smaller steps.
  const TopParameters kowalevski{2, 2, 1, 1, 0, 0, 1}, flat{0.25, 0.2, 0.32, 0.7365, -0.5695, 0.3653, 1};
  for (const TopParameters& body : {kowalevski, flat})
    for (const double momentum : {0.0, 0.05}) {
      double largest[2];
      for (int fine = 0; fine < 2; ++fine) {
        const int steps = fine ? 40000 : 10000;
        largest[fine] = 0;
        std::vector<TopPoint> before;
        for (int k = 0; k <= steps; ++k) {
          const double m12 = 0.1 + 0.3 * k / steps;
          const auto now = states_over({body, 0.93, momentum, 0.02, m12}, 0);
          if (now.size() == before.size())
            for (std::size_t i = 0; i < now.size(); ++i)
              largest[fine] = std::max(largest[fine], distance(now[i], before[i]));
          before = now;
        }
      }
      // A step four times finer moves them a quarter as far, half at the fold where two states appear.
      EXPECT_LT(largest[1], 0.6 * largest[0]) << "momentum " << momentum;
      EXPECT_GT(largest[1], 0);
    }
}

TEST(TopChart, RangeIsThatOfAllStates) {
  std::mt19937_64 random(17);
  for (int trial = 0; trial < 20; ++trial) {
    const TopParameters p = random_body(random);
    const double depth = std::abs(p[6]) * std::hypot(p[3], p[4]);
    const ChartRange lowest = top_chart_range(p.data(), 0);
    EXPECT_NEAR(lowest.least_energy, -depth, 4 * epsilon * depth);
    const double energy = depth * (trial % 2 == 0 ? 2.0 : -0.5) + (trial % 2 == 0 ? 1 : 0);
    const ChartRange range = top_chart_range(p.data(), energy);
    // The largest |Pi2|, |Pi3| and Pi.Gamma by a scan over Gamma, with a second-order error in its spacing.
    constexpr int cells = 100000;
    double most[3] = {0, 0, 0};
    for (int k = 0; k < cells; ++k) {
      const double t = 2 * M_PI * k / cells, x = std::cos(t), y = std::sin(t);
      const double room = 2 * (energy - p[6] * (p[3] * x + p[4] * y));
      if (room < 0) continue;
      most[0] = std::max(most[0], std::sqrt(room * p[1]));
      most[1] = std::max(most[1], std::sqrt(room * p[2]));
      most[2] = std::max(most[2], std::sqrt(room * (p[0] * x * x + p[1] * y * y)));
    }
    const double bounds[3] = {range.half_axes[0], range.half_axes[1], range.most_momentum};
    for (int i = 0; i < 3; ++i) {
      EXPECT_LE(most[i], bounds[i] * (1 + 4 * epsilon));
      EXPECT_NEAR(most[i], bounds[i], 1e-8 * bounds[i]);  // spacing squared, 4e-9, times curvatures of about 1
    }
    // Outside there is nothing, and near the largest momentum there still is something.
    EXPECT_EQ(states_over({p, energy, range.most_momentum * (1 + 1e-12), 0.1, 0.1}, 0).size(), 0u);
    EXPECT_EQ(states_over({p, energy, 0, range.half_axes[0] * (1 + 1e-12), 0}, 0).size(), 0u);
    int inside = 0;
    for (int i = 0; i < 400; ++i)
      for (int j = 0; j < 25; ++j) {
        const Place place{p, energy, 0.99 * range.most_momentum, range.half_axes[0] * ((i + 0.5) / 200 - 1),
                          0.2 * range.half_axes[1] * ((j + 0.5) / 12.5 - 1)};
        inside += static_cast<int>(states_over(place, 0).size() + states_over(place, 1).size());
      }
    EXPECT_GT(inside, 0) << "trial " << trial;
  }
}

}  // namespace
}  // namespace polhode::test
