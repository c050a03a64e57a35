// Quantiles of measurements.
#pragma once

#include <cstdint>
#include <vector>

namespace polhode {

/// Median of numbers, of which there should be `expected`; NaN if there are fewer than half of those, or none.
double median(std::vector<double> numbers, std::int64_t expected);
/// Least of some numbers that this share of them do not exceed.
double quantile(std::vector<double> numbers, double share);

}  // namespace polhode
