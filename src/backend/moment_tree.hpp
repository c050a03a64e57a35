// Moments of many values, from those of blocks, merged in an order that depends only on the number of blocks: in pairs,
// then pairs of these, and so on. Splitting the values at a multiple of a power of two of blocks, as slices of an
// ensemble do, gives bitwise identical results.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "polhode/observer/moments.hpp"
#include "polhode/scalar/elementary/turns.hpp"

namespace polhode {

/// Moments of two sets of values together, from the moments of each, by the pairwise algorithm of Chan, Golub &
/// LeVeque, Am. Stat. 37 (1983) 242.
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

/// Length of the sum of e^{ix} over the values x of a wrapped angle, from their moments: 0 to `count`.
inline double resultant(const SampleMoments& moments) { return std::max(0.0, moments.count - 0.5 * moments.squares); }

/// Whether the values of a wrapped angle have a mean direction: their resultant is more than round-off.
inline bool has_direction(const SampleMoments& moments) {
  return resultant(moments) > 64 * std::numeric_limits<double>::epsilon() * moments.count;
}
/// The square of the circular standard deviation, -2 log |R| with R = mean of e^{ix} (Mardia & Jupp 2000, sect. 2.3.3);
/// NaN without a mean direction.
inline double circular_variance(const SampleMoments& moments) {
  if (!has_direction(moments)) return std::numeric_limits<double>::quiet_NaN();
  // log(1 + u) = u log(w) / (w - 1) with w = 1 + u as it is rounded (Goldberg 1991, theorem 4).
  const double u = -0.5 * moments.squares / moments.count, w = 1 + u;
  return -2 * (w == 1 ? u : u * polhode::log(w) / (w - 1));
}

/// Moments of two sets of values of a wrapped angle together, from the moments a and b of each. Their `squares` are
/// a.squares + b.squares + 2 (A + B - |A + B e^{id}|), in a form without cancellation, with the resultants A of a and B
/// of b, whose directions are an angle d apart.
inline SampleMoments merge_wrapped(const SampleMoments& a, const SampleMoments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  SampleMoments both = merge(a, b);
  const double of_a = resultant(a), of_b = resultant(b);
  const SinCos<double> half = sin_cos(0.5 * (b.mean - a.mean));
  const double along = of_a + of_b * (1 - 2 * half.sin * half.sin), across = of_b * (2 * half.sin * half.cos);
  const double lengths = of_a + of_b + std::sqrt(along * along + across * across);
  both.squares = a.squares + b.squares;
  if (lengths > 0) both.squares += 8 * of_a * of_b * (half.sin * half.sin) / lengths;
  both.mean = a.mean + azimuth(across, along);
  if (both.mean > full_turn / 2) both.mean -= full_turn;
  if (both.mean <= -full_turn / 2) both.mean += full_turn;
  return both;
}

/// Moments of many values, which add() takes part by part and in order. Neighbouring parts are merged in pairs, then
/// pairs in pairs, as soon as both have come (head comment).
class MomentTree {
 public:
  explicit MomentTree(bool is_wrapped = false) : merge_(is_wrapped ? merge_wrapped : polhode::merge) {}

  void add(SampleMoments moments) {
    for (std::uint64_t carry = added_++; carry & 1u; carry >>= 1) {
      moments = merge_(stack_.back(), moments);
      stack_.pop_back();
    }
    stack_.push_back(moments);
  }
  SampleMoments total() const {
    SampleMoments moments;
    for (auto part = stack_.rbegin(); part != stack_.rend(); ++part) moments = merge_(*part, moments);
    return moments;
  }

 private:
  SampleMoments (*merge_)(const SampleMoments&, const SampleMoments&);
  std::uint64_t added_ = 0;
  std::vector<SampleMoments> stack_;
};

}  // namespace polhode
