// Moments of many values, summed in an order that depends on nothing but their numbers.
//
// Blocks of 1024 values, the last one shorter, are merged two by two, and these again. What is cut between blocks at a
// multiple of a power of two of them, as slices of an ensemble are, gives the same bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace polhode {

/// Of some values: how many, their mean, the sum of squares about it, the least and the largest.
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

/// The pairwise algorithm of Chan, Golub & LeVeque, Am. Stat. 37 (1983) 242.
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

/// Merges neighbours as soon as they stand for equally many parts: a tree whose shape follows from their number.
class MomentTree {
 public:
  static constexpr std::int64_t block = 1024;  ///< values of a part at the bottom

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
