// Moments of many values, from those of blocks, merged in an order that depends only on the number of blocks: in pairs,
// then pairs of these, and so on. Splitting them at a multiple of a power of two of blocks, as slices of an ensemble
// do, gives bitwise identical results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "polhode/observer/moments.hpp"

namespace polhode {

/// Pairwise algorithm of Chan, Golub & LeVeque, Am. Stat. 37 (1983) 242.
inline SampleMoments merge(const SampleMoments& a, const SampleMoments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  SampleMoments both;
  const double difference = b.mean - a.mean;
  both.count = a.count + b.count;
  both.mean = a.mean + difference * (b.count / both.count);
  both.squares = a.squares + b.squares + difference * difference * (a.count * b.count / both.count);
  both.least = std::min(a.least, b.least);
  both.largest = std::max(a.largest, b.largest);
  return both;
}

/// Merges neighbours as soon as they consist of equally many parts.
class MomentTree {
 public:
  void add(SampleMoments moments) {
    for (std::uint64_t carry = added_++; carry & 1u; carry >>= 1) {
      moments = merge(stack_.back(), moments);
      stack_.pop_back();
    }
    stack_.push_back(moments);
  }
  SampleMoments total() const {
    SampleMoments moments;
    for (auto part = stack_.rbegin(); part != stack_.rend(); ++part) moments = merge(*part, moments);
    return moments;
  }

 private:
  std::uint64_t added_ = 0;
  std::vector<SampleMoments> stack_;
};

}  // namespace polhode
