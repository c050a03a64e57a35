// Statistics of an ensemble at one time: moments and histograms of observables, over the trajectories that have come so
// far. Plain data with one implementation, for CPU threads, GPU threads and the reference.
#pragma once

#include <cstdint>

#include "polhode/observer/cells.hpp"
#include "polhode/observer/moments.hpp"
#include "polhode/scalar/elementary/turns.hpp"

namespace polhode {

inline constexpr int max_statistics = 64;

/// An observable (index into System::observables) and the range of its histogram.
struct StatisticsAxis {
  int observable = 0;
  double low = 0, high = 0;
};

/// Observables of which statistics are taken, and the cells of their histograms.
struct StatisticsPlan {
  std::int64_t bins = 0;  ///< cells of each histogram; 0: no histograms
  int count = 0;          ///< number of observables
  /// Bit i: axis i is of an angle without bound. Cells hold it modulo 2 pi; moments are of its values.
  std::uint64_t unbounded = 0;
  /// Bit i: axis i is of a wrapped angle, whose moments are those on the circle.
  std::uint64_t wrapped = 0;
  StatisticsAxis axes[max_statistics];
};

/// States of an ensemble after `step` steps of the run.
struct StatesAt {
  std::int64_t n, step;
  const double* state;        ///< [dim][n]
  const std::int64_t* steps;  ///< [n], completed by each trajectory: those with fewer have not come so far
};

inline namespace POLHODE_ISA {

/// Number of counts at one time: for each observable the cells of its histogram, then what is below and above them.
POLHODE_HD std::int64_t count_cells(const StatisticsPlan& plan) {
  return plan.bins > 0 ? plan.count * (plan.bins + 2) : 0;
}

/// Index of the count of a value: of its cell, or bins: below them, or bins + 1: above them.
POLHODE_HD std::int64_t count_of(const StatisticsAxis& axis, std::int64_t bins, double value) {
  if (value < axis.low) return bins;
  return value < axis.high ? cell_of(value, axis.low, axis.high, bins) : bins + 1;
}

/// Statistics of a block of trajectories (observer/moments.hpp): moments[observable], and counts to which theirs are
/// added. observe(i, k) is the value of observable i of trajectory k. with_turns: as in
/// observer/selection.hpp; with_wrapped: as in observer/moments.hpp.
template <bool with_turns = true, bool with_wrapped = true, class Lanes, class Observe>
POLHODE_HD void take_statistics(const StatisticsPlan& plan, const Lanes& lanes, const StatesAt& at, std::int64_t block,
                                const Observe& observe, SampleMoments* moments, std::int64_t* counts) {
  const std::int64_t first = block * moments_block;
  const int size = static_cast<int>(at.n - first < moments_block ? at.n - first : moments_block);
  for (int i = 0; i < plan.count; ++i) {
    const StatisticsAxis& axis = plan.axes[i];
    const auto value = [&](int k) POLHODE_LAMBDA { return observe(axis.observable, first + k); };
    const auto has_come = [&](int k) POLHODE_LAMBDA { return at.steps[first + k] >= at.step; };
    const auto count = [&](double x) POLHODE_LAMBDA {
      if (plan.bins == 0) return;
      if constexpr (with_turns)
        if (plan.unbounded >> i & 1) x = within_turn_from(axis.low, x);
      lanes.add_one(counts[i * (plan.bins + 2) + count_of(axis, plan.bins, x)]);
    };
    const SampleMoments of_block =
        moments_of_block<with_wrapped>(lanes, size, plan.wrapped >> i & 1, value, has_come, count);
    if (lanes.is_first()) moments[i] = of_block;
  }
}

}  // namespace POLHODE_ISA
}  // namespace polhode
