// Moments of many values: right, and with the same bits however blocks are divided between slices.
#include "backend/moment_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <span>
#include <vector>

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
SampleMoments of_block(std::span<const double> values, const Counts& counts, bool is_wrapped = false) {
  return moments_of_block(
      Lanes(), static_cast<int>(values.size()), is_wrapped, [&](int k) { return values[k]; }, counts, [](double) {});
}

/// Without the values of block `left_out`.
SampleMoments of_slice(std::span<const double> all, std::int64_t first, std::int64_t end, std::int64_t left_out,
                       bool is_wrapped = false) {
  MomentTree tree(is_wrapped);
  for (; first < end; first += moments_block) {
    const auto size = std::min(moments_block, end - first);
    tree.add(of_block(
        all.subspan(first, size), [&](int) { return first / moments_block != left_out; }, is_wrapped));
  }
  return tree.total();
}

constexpr double pi = std::numbers::pi;

/// Angles in (-pi, pi] about a direction, of a wrapped normal distribution.
std::vector<double> angles(std::int64_t n, double direction, double deviation) {
  std::mt19937_64 random(14);
  std::normal_distribution<double> normal(direction, deviation);
  std::vector<double> all(n);
  for (double& angle : all) {
    angle = std::remainder(normal(random), 2 * pi);
    if (angle <= -pi) angle = pi;
  }
  return all;
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
  for (const bool is_wrapped : {false, true})
    for (const std::int64_t n : {1000, 1024, 7 * 1024 + 1, 13 * 1024, 16 * 1024 + 500}) {
      const std::vector<double> all = is_wrapped ? angles(n, 3, 0.7) : values(n);
      for (const std::int64_t left_out : {-1, 0, 5}) {
        const SampleMoments whole = of_slice(all, 0, n, left_out, is_wrapped);
        for (const std::int64_t blocks : {1, 2, 4, 8, 32}) {
          const std::int64_t slice = blocks * moments_block;
          MomentTree tree(is_wrapped);
          for (std::int64_t first = 0; first < n; first += slice)
            tree.add(of_slice(all, first, std::min(first + slice, n), left_out, is_wrapped));
          EXPECT_EQ(tree.total().count, whole.count);
          EXPECT_EQ(tree.total().mean, whole.mean) << n << ", " << blocks << ", " << left_out;
          EXPECT_EQ(tree.total().squares, whole.squares) << n << ", " << blocks << ", " << left_out;
        }
      }
    }
}

/// Sums of e^{ix} in extended precision, whose second difference cancels for a narrow distribution: by the chords to
/// the mean.
TEST(MomentsOfAngles, AreThoseOfTheTextbookWhereverTheCutIs) {
  for (const double deviation : {1e-9, 1e-3, 0.3, 1.0, 2.0})
    for (const double direction : {0.0, 1.5, 3.14, -3.14, pi}) {
      const std::vector<double> all = angles(10'003, direction, deviation);
      const SampleMoments moments = of_slice(all, 0, 10'003, -1, true);
      long double cosines = 0, sines = 0, squares = 0;
      for (const double x : all) cosines += ::cosl(x), sines += ::sinl(x);
      const long double mean = ::atan2l(sines, cosines), length = ::hypotl(cosines, sines);
      for (const double x : all) squares += 4 * ::powl(::sinl((x - mean) / 2), 2);
      // Sums of ten blocks are rounded to 1e-16 of their size each, which a short resultant feels as often.
      const double uncertain = 4e-15 * static_cast<double>(all.size() / length);
      EXPECT_EQ(moments.count, all.size());
      EXPECT_NEAR(std::remainder(moments.mean - static_cast<double>(mean), 2 * pi), 0, uncertain) << direction;
      EXPECT_NEAR(resultant(moments) / static_cast<double>(length), 1, uncertain) << direction << ", " << deviation;
      // Angles near pi are known to 4e-16.
      EXPECT_NEAR(moments.squares / static_cast<double>(squares), 1, uncertain + 8e-16 / deviation) << direction;
      EXPECT_NEAR(circular_variance(moments) / static_cast<double>(-2 * ::log1pl(-squares / (2 * all.size()))), 1,
                  2 * uncertain + 8e-16 / deviation)
          << direction << ", " << deviation;
      EXPECT_GT(moments.mean, -pi);
      EXPECT_LE(moments.mean, pi);
      EXPECT_EQ(moments.least, *std::ranges::min_element(all));
      EXPECT_EQ(moments.largest, *std::ranges::max_element(all));
      // A wrapped normal distribution of this deviation has it again, to four standard errors of a circular one.
      if (deviation <= 1) {
        EXPECT_NEAR(std::sqrt(circular_variance(moments)) / deviation, 1, 4 * 0.01) << direction;
      }
    }
}

TEST(MomentsOfAngles, OfBlocksInOppositeDirectionsAreMerged) {
  std::vector<double> all(2 * moments_block, 0.1);
  std::fill(all.begin() + moments_block, all.end(), 0.1 - pi);
  EXPECT_FALSE(has_direction(of_slice(all, 0, std::ssize(all), -1, true)));
  EXPECT_TRUE(std::isnan(circular_variance(of_slice(all, 0, std::ssize(all), -1, true))));
  all[0] = 0.1 - pi;  // now two more are there
  const SampleMoments moments = of_slice(all, 0, std::ssize(all), -1, true);
  EXPECT_TRUE(has_direction(moments));
  EXPECT_NEAR(moments.mean, 0.1 - pi, 1e-12);  // 2 of 2048 values are left, each known to 2e-16
  EXPECT_NEAR(circular_variance(moments), -2 * std::log(2.0 / 2048), 1e-12);
}

/// Of the lanes of a warp and of an array.
TEST(MomentsOfAngles, AreSummedByThirtyTwoLanes) {
  for (const int n : {1, 33, 1000, 1024}) {
    const std::vector<double> all = angles(n, 3, 0.5);
    const auto counts = [](int k) { return k % 7 != 3; };
    const SampleMoments in_turn = of_block(all, counts, true), in_step = of_block<LanesInStep>(all, counts, true);
    EXPECT_EQ(in_step.mean, in_turn.mean) << n;
    EXPECT_EQ(in_step.squares, in_turn.squares) << n;
  }
}

TEST(MomentsOfAngles, OfWhatIsNotFiniteAreUnknown) {
  const std::vector<double> all{0.1, std::numeric_limits<double>::quiet_NaN()};
  const SampleMoments moments = of_slice(all, 0, 2, -1, true);
  EXPECT_TRUE(std::isnan(moments.mean));
  EXPECT_TRUE(std::isnan(circular_variance(moments)));
}

TEST(MomentsOfMany, OfNothing) {
  EXPECT_EQ(MomentTree().total().count, 0);
  EXPECT_EQ(of_slice({}, 0, 0, -1).count, 0);
}

}  // namespace
}  // namespace polhode
