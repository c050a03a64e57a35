// Moments of many values: right, and with the same bits however blocks are divided between slices.
#include "backend/moment_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <span>

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

/// The lanes of a warp, in step: a shuffle reads what all lanes had before it, and past the last lane its own.
struct LanesInStep {
  using Numbers = LanesInTurn::Numbers;
  template <class F>
  void for_each(const F& f) const {
    for (int lane = moments_lanes; lane-- > 0;) f(lane);
  }
  template <class Op>
  double fold(const Numbers& x, const Op& op) const {
    Numbers now = x;
    for (int apart = 16; apart > 0; apart /= 2) {
      const Numbers before = now;
      for (int lane = 0; lane < moments_lanes; ++lane)
        now.of_lane[lane] =
            op(before.of_lane[lane], before.of_lane[lane + apart < moments_lanes ? lane + apart : lane]);
    }
    return now.of_lane[0];
  }
};

template <class Lanes = LanesInTurn, class Counts>
SampleMoments of_block(std::span<const double> values, const Counts& counts) {
  return moments_of_block(
      Lanes(), static_cast<int>(values.size()), [&](int k) { return values[k]; }, counts, [](double) {});
}

/// Without the values of block `left_out`.
SampleMoments of_slice(std::span<const double> all, std::int64_t first, std::int64_t end, std::int64_t left_out) {
  MomentTree tree;
  for (; first < end; first += moments_block) {
    const auto size = std::min(moments_block, end - first);
    tree.add(of_block(all.subspan(first, size), [&](int) { return first / moments_block != left_out; }));
  }
  return tree.total();
}

TEST(MomentsOfMany, AreThoseOfTheTextbook) {
  const std::vector<double> all = values(100'003);
  const SampleMoments moments = of_slice(all, 0, 100'003, -1);
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

/// The order of summation, written out: the file promises it.
TEST(MomentsOfABlock, AreSummedByThirtyTwoLanes) {
  for (const int n : {1, 31, 32, 33, 1000, 1024}) {
    const std::vector<double> all = values(n);
    const auto counts = [](int k) { return k % 7 != 3; };
    double lane[32] = {}, number = 0;
    for (int k = 0; k < n; ++k) {
      if (!counts(k)) continue;
      lane[k % 32] += all[k];
      ++number;
    }
    for (int l = 0; l < 16; ++l) lane[l] += lane[l + 16];
    for (int l = 0; l < 8; ++l) lane[l] += lane[l + 8];
    for (int l = 0; l < 4; ++l) lane[l] += lane[l + 4];
    const double mean = ((lane[0] + lane[2]) + (lane[1] + lane[3])) / number;
    const SampleMoments moments = of_block(all, counts);
    EXPECT_EQ(moments.count, number) << n;
    EXPECT_EQ(moments.mean, mean) << n;
    const SampleMoments in_step = of_block<LanesInStep>(all, counts);
    EXPECT_EQ(in_step.count, number) << n;
    EXPECT_EQ(in_step.mean, mean) << n;
    EXPECT_EQ(in_step.squares, moments.squares) << n;
    EXPECT_EQ(in_step.least, moments.least) << n;
    EXPECT_EQ(in_step.largest, moments.largest) << n;
  }
}

TEST(MomentsOfMany, HaveTheSameBitsInAnySlices) {
  for (const std::int64_t n : {1000, 1024, 7 * 1024 + 1, 13 * 1024, 16 * 1024 + 500}) {
    const std::vector<double> all = values(n);
    for (const std::int64_t left_out : {-1, 0, 5}) {
      const SampleMoments whole = of_slice(all, 0, n, left_out);
      for (const std::int64_t blocks : {1, 2, 4, 8, 32}) {
        const std::int64_t slice = blocks * moments_block;
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
