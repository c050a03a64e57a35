// The order of a method, measured by halving its step.
#pragma once

#include <cstdint>
#include <vector>

#include "accuracy/orbits.hpp"

namespace polhode {

struct OrderRow {
  double step = 0;
  std::int64_t steps = 0;  ///< to the time at which states are compared
  /// Relative distance from the states with half the step, the median over the trajectories that reach that time; NaN
  /// where fewer than half of them do.
  double apart = 0;
  bool in_range = false;  ///< of 8 steps or more, below a hundredth, and above round-off
  double order = 0;       ///< log2 of the ratio to the next row, NaN where one of them is not in range
};

struct OrderReport {
  double time = 0;  ///< at which states are compared
  std::int64_t trajectories = 0;
  int declared = 0;
  bool declared_is_bound = false;  ///< of fractions of the user's own: the order that their sums show
  std::vector<OrderRow> rows;      ///< the longest step first
  double measured = 0;             ///< the last of the rows; NaN where no order can be seen
  bool settled = false;  ///< nearly an integer, and like the one before: the steps are in the asymptotic range

  std::int64_t in_range() const;  ///< rows
  /// Whether the order measured is the one declared, to 0.5.
  bool agrees() const;
};

/// Measures the order of the run's method, with steps from at most 64 h to h / 8, or shorter ones that show round-off.
OrderReport measure_order(const Orbits& orbits, const SolutionProgress& progress = {});

}  // namespace polhode
