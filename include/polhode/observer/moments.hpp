// Moments of the values of an observable over an ensemble, summed in one order on all backends.
//
// Blocks of 1024 neighbouring trajectories, counted from the first of the ensemble, have moments each. In a block, 32
// lanes sum the values of every 32nd trajectory in turn, and then are added in pairs. Trajectories that have ended are
// left out where they stand, so that no sum depends on threads, slices or ranks. The lanes are those of a warp on a
// GPU, or an array on a CPU.
//
// A wrapped angle jumps by 2 pi, so that its values are taken as points of the unit circle (Mardia & Jupp, Directional
// Statistics, 2000, sect. 2.2 and 2.3): the mean is the direction of sum e^{ix}, and a deviation the chord to it,
// 2 |sin((x - mean)/2)|, whose squares have the sum 2 (count - |sum e^{ix}|), without its cancellation.
#pragma once

#include <cstdint>
#include <limits>

#include "polhode/scalar/elementary.hpp"

namespace polhode {

/// Moments of some values: their number, mean, sum of squared deviations, minimum and maximum. Mean and deviations of a
/// wrapped angle are those on the circle.
struct SampleMoments {
  double count = 0, mean = 0, squares = 0;
  double least = std::numeric_limits<double>::infinity(), largest = -std::numeric_limits<double>::infinity();
};

inline constexpr std::int64_t moments_block = 1024;  ///< trajectories
inline constexpr int moments_lanes = 32;

inline namespace POLHODE_ISA {

/// The lanes of a block in one thread.
struct LanesInTurn {
  struct Numbers {
    double of_lane[moments_lanes];
    POLHODE_HD double& operator[](int lane) { return of_lane[lane]; }
  };

  template <class F>
  POLHODE_HD void for_each(const F& f) const {
    for (int lane = 0; lane < moments_lanes; ++lane) f(lane);
  }
  /// op of all lanes, in pairs that are 16, 8, ..., 1 lanes apart.
  template <class Op>
  POLHODE_HD double fold(Numbers x, const Op& op) const {
    for (int apart = moments_lanes / 2; apart > 0; apart /= 2)
      for (int lane = 0; lane < apart; ++lane) x[lane] = op(x[lane], x[lane + apart]);
    return x[0];
  }
  POLHODE_HD void add_one(std::int64_t& count) const { ++count; }
  POLHODE_HD bool is_first() const { return true; }
};

/// Moments of value(0), ..., value(size - 1), size <= 1024, without those for which `counts` is false; see(x) is called
/// once for each value. Both passes are one loop, because the code of observables is large where it is inlined.
/// with_wrapped: false where no value is a wrapped angle, to have no code for it.
template <bool with_wrapped = true, class Lanes, class Value, class Counts, class See>
POLHODE_HD SampleMoments moments_of_block(const Lanes& lanes, int size, [[maybe_unused]] bool is_wrapped,
                                          const Value& value, const Counts& counts, const See& see) {
  typename Lanes::Numbers number, sum, sines, least, largest;
  const auto plus = [](double a, double b) POLHODE_LAMBDA { return a + b; };
  SampleMoments moments;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
  for (int pass = 0; pass < 2; ++pass) {
    lanes.for_each([&](int lane) POLHODE_LAMBDA {
      double n = 0, s = 0, sine = 0;
      SampleMoments extremes;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
      for (int k = lane; k < size; k += moments_lanes) {
        const bool here = counts(k);
        const double x = value(k), deviation = x - moments.mean;
        double term = pass == 0 ? x : deviation * deviation;
        if constexpr (with_wrapped)
          if (is_wrapped) {
            const SinCos<double> on_circle = sin_cos(pass == 0 ? x : 0.5 * deviation);
            term = pass == 0 ? on_circle.cos : 4 * (on_circle.sin * on_circle.sin);
            sine = here ? sine + on_circle.sin : sine;
          }
        n = here ? n + 1 : n;
        s = here ? s + term : s;
        extremes.least = here && x < extremes.least ? x : extremes.least;
        extremes.largest = here && x > extremes.largest ? x : extremes.largest;
        if (here && pass == 0) see(x);
      }
      number[lane] = n;
      sum[lane] = s;
      if constexpr (with_wrapped) sines[lane] = sine;
      least[lane] = extremes.least;
      largest[lane] = extremes.largest;
    });
    const double total = lanes.fold(sum, plus);
    if (pass == 1) {
      moments.squares = total;
      break;
    }
    moments.count = lanes.fold(number, plus);
    if (moments.count == 0) return moments;
    moments.mean = total / moments.count;
    if constexpr (with_wrapped)
      if (is_wrapped && is_finite(total)) moments.mean = azimuth(lanes.fold(sines, plus), total);
  }
  moments.least = lanes.fold(least, [](double a, double b) POLHODE_LAMBDA { return b < a ? b : a; });
  moments.largest = lanes.fold(largest, [](double a, double b) POLHODE_LAMBDA { return b > a ? b : a; });
  return moments;
}

}  // namespace POLHODE_ISA
}  // namespace polhode
