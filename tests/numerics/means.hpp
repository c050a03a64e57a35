// Random states against integrals: means of a million states, to four standard errors.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "system/random_source.hpp"

namespace polhode::test {

constexpr std::int64_t samples = 1'000'000;

/// Means and standard errors of functions of a state.
class Means {
 public:
  using Draw = std::function<void(RandomSource&, double*)>;

  /// draw: writes a state of dim numbers; quantities: any number of functions of it.
  Means(int dim, const Draw& draw, const std::function<Eigen::ArrayXd(const double*)>& quantities) {
    std::vector<double> x(dim);
    Eigen::ArrayXd squares;
    for (std::int64_t k = 0; k < samples; ++k) {
      RandomSource random(7, k);
      draw(random, x.data());
      const Eigen::ArrayXd values = quantities(x.data());
      if (k == 0) mean_ = squares = Eigen::ArrayXd::Zero(values.size());
      mean_ += values;
      squares += values * values;
    }
    mean_ /= samples;
    error_ = ((squares / samples - mean_ * mean_).max(0) / samples).sqrt();
  }

  void expect(const Eigen::ArrayXd& expected) const {
    ASSERT_EQ(mean_.size(), expected.size());
    // What is the same in every state has no standard error: the round-off of a sum of a million.
    constexpr double round_off = 1e-10;
    for (int i = 0; i < mean_.size(); ++i)
      EXPECT_NEAR(mean_[i], expected[i], std::max(4 * error_[i], round_off)) << "quantity " << i;
  }
  /// That so many samples would tell another distribution.
  void expect_not(const Eigen::ArrayXd& other) const {
    EXPECT_GT(((mean_ - other).abs() / error_.max(1e-10)).maxCoeff(), 20);
  }

 private:
  Eigen::ArrayXd mean_, error_;
};

/// A distribution on a line that is known at many points, each with a weight.
class Marginal {
 public:
  void add(double value, double weight) { points_.emplace_back(value, weight); }

  /// The probabilities to be below some thresholds, near the given ones; keeps the thresholds.
  Eigen::ArrayXd find_quantiles(const std::vector<double>& near) {
    std::ranges::sort(points_);
    double total = 0, sum = 0;
    for (const auto& [value, weight] : points_) total += weight;
    std::vector<double> probabilities;
    thresholds_.clear();
    for (std::size_t k = 0; k + 1 < points_.size() && thresholds_.size() < near.size(); ++k) {
      sum += points_[k].second;
      if (sum < near[thresholds_.size()] * total) continue;
      probabilities.push_back(sum / total);
      thresholds_.push_back((points_[k].first + points_[k + 1].first) / 2);
    }
    return Eigen::Map<const Eigen::ArrayXd>(probabilities.data(), static_cast<Eigen::Index>(probabilities.size()));
  }
  /// 1 for each threshold that the value is below.
  Eigen::ArrayXd indicators(double value) const {
    Eigen::ArrayXd below(thresholds_.size());
    for (std::size_t i = 0; i < thresholds_.size(); ++i)
      below[static_cast<Eigen::Index>(i)] = value < thresholds_[i] ? 1 : 0;
    return below;
  }

 private:
  std::vector<std::pair<double, double>> points_;
  std::vector<double> thresholds_;
};

/// One after the other.
inline Eigen::ArrayXd joined(const std::vector<Eigen::ArrayXd>& parts) {
  Eigen::Index size = 0;
  for (const Eigen::ArrayXd& part : parts) size += part.size();
  Eigen::ArrayXd all(size);
  Eigen::Index at = 0;
  for (const Eigen::ArrayXd& part : parts) {
    all.segment(at, part.size()) = part;
    at += part.size();
  }
  return all;
}

}  // namespace polhode::test
