// Whether a quantity that should be conserved oscillates or drifts over a long run.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace polhode::test {

/// What a quantity does over a long run.
struct Oscillation {
  double amplitude;  ///< largest value less smallest
  double slope;      ///< of the windows' means, over the whole run
  double deviation;  ///< standard deviation of that slope, from the scatter of the means around the line
};

/// Of the change of a quantity since the start after each of 10^6 steps, which `next` returns one after the other.
template <class Next>
Oscillation oscillation(const Next& next) {
  constexpr int windows = 100, length = 10000;
  double lowest = 0, highest = 0;
  std::vector<double> means(windows, 0.0);
  for (double& mean : means) {
    for (int n = 0; n < length; ++n) {
      const double change = next();
      lowest = std::min(lowest, change), highest = std::max(highest, change);
      mean += change / length;
    }
  }
  // A line through the means against -1/2 ... 1/2.
  double average = 0, moment = 0, squares = 0;
  const auto time = [](int k) { return (k + 0.5) / windows - 0.5; };
  for (int k = 0; k < windows; ++k) {
    average += means[k] / windows, moment += time(k) * means[k], squares += time(k) * time(k);
  }
  const double slope = moment / squares;
  double scatter = 0;
  for (int k = 0; k < windows; ++k) scatter += std::pow(means[k] - average - slope * time(k), 2);
  return {highest - lowest, slope, std::sqrt(scatter / (windows - 2) / squares)};
}

}  // namespace polhode::test
