#include "quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace polhode {

double median(std::vector<double> numbers, std::int64_t expected) {
  if (numbers.empty() || 2 * static_cast<std::int64_t>(numbers.size()) < expected)
    return std::numeric_limits<double>::quiet_NaN();
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  const double upper = *middle;
  return numbers.size() % 2 == 1 ? upper : (*std::max_element(numbers.begin(), middle) + upper) / 2;
}

double quantile(std::vector<double> numbers, double share) {
  const auto count = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(numbers.size())));
  const auto place = numbers.begin() + std::max<std::ptrdiff_t>(count, 1) - 1;
  std::ranges::nth_element(numbers, place);
  return *place;
}

}  // namespace polhode
