// Differences between recordings that should be bitwise equal.
#pragma once

#include "accuracy/recording.hpp"

namespace polhode {

/// Difference between two batches that should be bitwise equal.
struct Difference {
  std::int64_t trajectory = 0, step = 0;
  int column = -1;        ///< column of the state; -1: status, completed steps or an invariant
  double a = 0, b = 0;    ///< the two values
  std::int64_t ulps = 0;  ///< number of doubles between them
};

/// Whether two batches after `step` steps differ; `found` is the first difference, of states before anything else, in
/// the order of trajectories, then of columns.
bool find_difference(const Batch& a, const Batch& b, std::int64_t step, Difference& found);

/// Difference between the section points of two recordings.
struct PointDifference {
  enum class Kind { column, time, only_in_a, only_in_b };
  Kind kind = Kind::column;
  std::int64_t trajectory = 0, crossing = 0, step = 0;  ///< crossing: index among the points of its trajectory
  int column = -1;                                      ///< column of the state; -1: fraction of the step
  double a = 0, b = 0;                                  ///< the two values
  std::int64_t ulps = 0;                                ///< number of doubles between them
};
/// Whether section points, which are ordered by trajectory and time, differ; `found` is the first difference.
bool find_difference(const SectionPoints& a, const SectionPoints& b, PointDifference& found);

/// Whether some trajectory completed a step in both; otherwise there are only initial states to compare.
bool have_steps(const Recording& a, const Recording& b);

/// Whether all states are representable in single precision.
bool is_single(const Recording& recording);

/// Whether two backends differ within `steps` steps from the same initial states; `found` is the difference after the
/// first step that shows one.
bool find_first_difference(Backend& a, Backend& b, const Batch& start, std::int64_t steps, Difference& found);

}  // namespace polhode
