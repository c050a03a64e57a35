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

/// Measures the order of the run's method. The step is halved from 64 h to h / 8, and further while differences are
/// large, or small without showing round-off, but not below h / 1024; and likewise from 16 h, 4 h and h. A halving that
/// would begin with fewer than 8 steps is left out, but for the one from h. The report is of the halving with the most
/// rows in range.
OrderReport measure_order(const Orbits& orbits, const SolutionProgress& progress = {});

}  // namespace polhode
