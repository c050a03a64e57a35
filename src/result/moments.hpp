// Moments of many values, summed in an order that depends only on their number.
//
// Blocks of 1024 values, of which the last may be shorter, are merged in pairs, and so on. Splitting the values at a
// multiple of a power of two of blocks, as slices of an ensemble do, gives bitwise identical results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace polhode {

/// Moments of some values: their number, mean, sum of squared deviations, minimum and maximum.
struct Moments {
  double count = 0, mean = 0, squares = 0;
  double least = std::numeric_limits<double>::infinity(), largest = -least;

  Moments() = default;
  explicit Moments(std::span<const double> values) : count(static_cast<double>(values.size())) {
    if (values.empty()) return;
    double sum = 0;
    for (const double value : values) sum += value;
    mean = sum / count;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const auto [low, high] = std::ranges::minmax(values);
    least = low;
    largest = high;
  }
};

/// Pairwise algorithm of Chan, Golub & LeVeque, Am. Stat. 37 (1983) 242.
inline Moments merge(const Moments& a, const Moments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  Moments both;
  const double difference = b.mean - a.mean;
  both.count = a.count + b.count;
  both.mean = a.mean + difference * (b.count / both.count);
  both.squares = a.squares + b.squares + difference * difference * (a.count * b.count / both.count);
  both.least = std::min(a.least, b.least);
  both.largest = std::max(a.largest, b.largest);
  return both;
}

/// Merges neighbours as soon as they consist of equally many parts: a tree whose shape depends on their number alone.
class MomentTree {
 public:
  static constexpr std::int64_t block = 1024;  ///< values per leaf

  void add(Moments moments) {
    for (std::uint64_t carry = added_++; carry & 1u; carry >>= 1) {
      moments = merge(stack_.back(), moments);
      stack_.pop_back();
    }
    stack_.push_back(moments);
  }
  Moments total() const {
    Moments moments;
    for (auto part = stack_.rbegin(); part != stack_.rend(); ++part) moments = merge(*part, moments);
    return moments;
  }

 private:
  std::uint64_t added_ = 0;
  std::vector<Moments> stack_;
};

}  // namespace polhode
