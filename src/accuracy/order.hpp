// The order of a method, measured by halving its step.
#pragma once

#include <cstdint>
#include <vector>

#include "accuracy/orbits.hpp"

namespace polhode {

struct OrderRow {
  double step = 0;
  std::int64_t steps = 0;  ///< number of steps to the time at which states are compared
  /// Relative distance of the states from those with half the step: the median over the trajectories that reach the
  /// time with both steps; NaN where fewer than half of all trajectories do.
  double apart = 0;
  bool in_range = false;  ///< whether `steps` is 8 or more, and `apart` below 0.01 and well above round-off
  double order = 0;       ///< log2 of the ratio of `apart` to the next row's; NaN where either row is not in range
};

struct OrderReport {
  double time = 0;  ///< the time at which states are compared
  std::int64_t trajectories = 0;
  int declared = 0;
  /// Whether the order may be higher than declared: the declared order of a composition with the user's own fractions
  /// is read off their sums.
  bool declared_is_bound = false;
  std::vector<OrderRow> rows;  ///< the longest step first
  double measured = 0;         ///< the last order of the rows; NaN where no row has one
  /// Whether the steps are in the asymptotic range: `measured` is nearly an integer, and like the order before it.
  bool settled = false;

  std::int64_t in_range() const;  ///< number of rows that are in range
  /// Whether the measured order is the declared one to 0.5, or higher where `declared_is_bound`.
  bool agrees() const;
};

/// Measures the order of the run's method, with steps halved from 64 h or less to h / 8, and on, to h / 1024 at most,
/// while differences are large, or small without showing round-off.
OrderReport measure_order(const Orbits& orbits, const SolutionProgress& progress = {});

}  // namespace polhode
