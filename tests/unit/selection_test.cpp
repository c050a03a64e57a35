// Conditions and cells of section points, against another way to say what they are.
#include "polhode/observer/selection.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace polhode::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

/// A point has its values as they are.
template <class T>
struct Values {
  T observe(int i, const std::array<T, 3>& x) const { return x[i]; }
};

TEST(SectionConditions, HoldWhereAllOfTheirComparisonsDo) {
  const std::pair<Relation, std::function<bool(double, double)>> relations[] = {
      {Relation::less, std::less<double>()},
      {Relation::less_equal, std::less_equal<double>()},
      {Relation::greater, std::greater<double>()},
      {Relation::greater_equal, std::greater_equal<double>()},
  };
  // Few values, so that they are equal often.
  constexpr double some[] = {-inf, -1, -0.0, 0.0, 0.5, 1, inf, nan};
  std::mt19937_64 random(1);
  const auto any = [&](int n) { return static_cast<int>(random() % n); };
  int held = 0, broken = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::array<double, 3> x{some[any(8)], some[any(8)], some[any(8)]};
    PointSelection selection;
    selection.where.count = any(trial % 100 == 0 ? max_comparisons + 1 : 4);
    bool holds = true;
    for (int i = 0; i < selection.where.count; ++i) {
      const auto& [relation, function] = relations[any(4)];
      selection.where.comparisons[i] = {any(3), relation, some[any(7)]};
      holds = holds && function(x[selection.where.comparisons[i].observable], selection.where.comparisons[i].value);
    }
    EXPECT_EQ(keeps(selection, Values<double>(), x), holds) << trial;
    const std::array<float, 3> single{static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])};
    EXPECT_EQ(keeps(selection, Values<float>(), single), holds) << trial;
    ++(holds ? held : broken);
  }
  EXPECT_GT(held, 1000);
  EXPECT_GT(broken, 1000);
}

TEST(SectionConditions, WithoutComparisonsHoldEverywhere) {
  EXPECT_TRUE(keeps(PointSelection{}, Values<double>(), std::array<double, 3>{nan, nan, nan}));
}

PointSelection plane(CellAxis first, CellAxis second) {
  PointSelection selection;
  selection.axes[0] = first;
  selection.axes[1] = second;
  return selection;
}

std::int64_t cell(const PointSelection& selection, double x, double y, double z = 0) {
  return cell_of(selection, Values<double>(), std::array<double, 3>{x, y, z});
}

TEST(DensityCells, HoldTheirLowerEdgesAndNotTheirUpperOnes) {
  const PointSelection selection = plane({2, 8, -1, 3}, {0, 4, 0, 1});  // edges are numbers
  EXPECT_TRUE(has_density(selection));
  ASSERT_EQ(count_cells(selection), 33);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) {
      const double z = -1 + 0.5 * i, x = 0.25 * j;
      EXPECT_EQ(cell(selection, x, 7, z), 4 * i + j);
      EXPECT_EQ(cell(selection, x + 0.2499, 7, z + 0.4999), 4 * i + j);
    }
}

TEST(DensityCells, CountWhatIsInNoCellTogether) {
  const PointSelection selection = plane({0, 8, -1, 3}, {1, 4, 0, 1});
  for (const double x : {-inf, std::nextafter(-1, -inf), 3.0, inf, nan}) EXPECT_EQ(cell(selection, x, 0.5), 32) << x;
  for (const double y : {-inf, -0x1p-1074, 1.0, inf, nan}) EXPECT_EQ(cell(selection, 0, y), 32) << y;
  // The last numbers below the upper edges; rounding takes the second's distance from the lower edge to the whole
  // width.
  const PointSelection wide = plane({0, 8, -1, 3}, {1, 4, -3, 0.5});
  EXPECT_EQ(cell(wide, std::nextafter(3, -inf), std::nextafter(0.5, -inf)), 31);
}

TEST(DensityCells, AreAsWideAsOneAnother) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-3, 3);
  for (int trial = 0; trial < 2000; ++trial) {
    const double low = uniform(random), high = low + std::exp(uniform(random)), value = uniform(random);
    const std::int64_t bins = 1 + static_cast<std::int64_t>(random() % 1000);
    const PointSelection selection = plane({0, bins, low, high}, {1, 1, 0, 1});
    ASSERT_EQ(count_cells(selection), bins + 1);
    const std::int64_t k = cell(selection, value, 0);
    if (value < low || value >= high) {
      EXPECT_EQ(k, bins);
      continue;
    }
    const double width = (high - low) / static_cast<double>(bins), round_off = 1e-13;
    EXPECT_GE(value, low + width * static_cast<double>(k) - round_off);
    EXPECT_LT(value, low + width * static_cast<double>(k + 1) + round_off);
    ASSERT_LT(k, bins);
  }
}

TEST(DensityCells, AreNoneWithoutAxes) {
  EXPECT_FALSE(has_density(PointSelection{}));
  EXPECT_EQ(count_cells(PointSelection{}), 0);
}

}  // namespace
}  // namespace polhode::test
