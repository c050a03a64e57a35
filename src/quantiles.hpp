// Quantiles of measurements.
#pragma once

#include <cstdint>
#include <vector>

namespace polhode {

/// Median of numbers; NaN if there are none, or fewer than half of `expected`.
double median(std::vector<double> numbers, std::int64_t expected);
/// Least of the numbers for which at least the fraction `share` of all numbers is not larger. There must be a number.
double quantile(std::vector<double> numbers, double share);

}  // namespace polhode
