// Moments of many values: right, and with the same bits however blocks are divided between slices.
#include "result/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace polhode {
namespace {

/// Values far from 0, where a sum of squares would cancel.
std::vector<double> values(std::int64_t n) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal(1e6, 1);
  std::vector<double> all(n);
  for (double& value : all) value = normal(random);
  return all;
}

/// Without the values of block `left_out`.
Moments of_slice(std::span<const double> all, std::int64_t first, std::int64_t end, std::int64_t left_out) {
  MomentTree tree;
  for (; first < end; first += MomentTree::block) {
    const auto size = std::min(MomentTree::block, end - first);
    tree.add(Moments(all.subspan(first, first / MomentTree::block == left_out ? 0 : size)));
  }
  return tree.total();
}

TEST(MomentsOfMany, AreThoseOfTheTextbook) {
  const std::vector<double> all = values(100'003);
  const Moments moments = of_slice(all, 0, 100'003, -1);
  long double sum = 0, squares = 0;
  for (const double value : all) sum += value;
  const long double mean = sum / all.size();
  for (const double value : all) squares += (value - mean) * (value - mean);
  EXPECT_EQ(moments.count, 100'003);
  EXPECT_NEAR(moments.mean, static_cast<double>(mean), 1e-9);  // 1024 roundings of 1e-10 / 2 each, of random sign
  // The means of two blocks, 1e-10 uncertain, differ by 0.04; the square of that is a thousandth of the whole.
  EXPECT_NEAR(moments.squares / static_cast<double>(squares), 1, 5e-12);
  EXPECT_EQ(moments.least, *std::ranges::min_element(all));
  EXPECT_EQ(moments.largest, *std::ranges::max_element(all));
}

TEST(MomentsOfMany, HaveTheSameBitsInAnySlices) {
  for (const std::int64_t n : {1000, 1024, 7 * 1024 + 1, 13 * 1024, 16 * 1024 + 500}) {
    const std::vector<double> all = values(n);
    for (const std::int64_t left_out : {-1, 0, 5}) {
      const Moments whole = of_slice(all, 0, n, left_out);
      for (const std::int64_t blocks : {1, 2, 4, 8, 32}) {
        const std::int64_t slice = blocks * MomentTree::block;
        MomentTree tree;
        for (std::int64_t first = 0; first < n; first += slice)
          tree.add(of_slice(all, first, std::min(first + slice, n), left_out));
        EXPECT_EQ(tree.total().count, whole.count);
        EXPECT_EQ(tree.total().mean, whole.mean) << n << ", " << blocks << ", " << left_out;
        EXPECT_EQ(tree.total().squares, whole.squares) << n << ", " << blocks << ", " << left_out;
      }
    }
  }
}

TEST(MomentsOfMany, OfNothing) {
  EXPECT_EQ(MomentTree().total().count, 0);
  EXPECT_EQ(of_slice({}, 0, 0, -1).count, 0);
}

}  // namespace
}  // namespace polhode
