// Differences between recordings that should be bitwise equal.
#pragma once

#include "accuracy/recording.hpp"

namespace polhode {

/// Difference between two batches that should be bitwise equal.
struct Difference {
  std::int64_t trajectory = 0, step = 0;
  int column = -1;        ///< column of the state; -1: anything else that a batch carries, e.g. a status
  double a = 0, b = 0;    ///< the two values of the column; 0 without one
  std::int64_t ulps = 0;  ///< distance of the two values
};

/// Whether two batches after `step` steps differ. `found` is then the first difference, in the order of trajectories,
/// then of columns: one of states, if there is any, else one of anything else that batches carry.
bool find_difference(const Batch& a, const Batch& b, std::int64_t step, Difference& found);

/// Difference between the section points of two recordings.
struct PointDifference {
  /// Kind of difference: in a column of the state; in the fraction of the step; a point that one recording lacks.
  enum class Kind { column, time, only_in_a, only_in_b };
  Kind kind = Kind::column;
  std::int64_t trajectory = 0, crossing = 0, step = 0;  ///< crossing: index of the point among those of its trajectory
  int column = -1;                                      ///< column of the state, for Kind::column; else -1
  double a = 0, b = 0;                                  ///< the two values of the column or of the fraction of the step
  std::int64_t ulps = 0;                                ///< distance of the two values
};
/// Whether section points, which are ordered by trajectory and time, differ. `found` is then the first difference; if
/// they are equal its content means nothing.
bool find_difference(const SectionPoints& a, const SectionPoints& b, PointDifference& found);

/// Whether some trajectory completed a step in both recordings; otherwise there are only initial states to compare.
bool have_steps(const Recording& a, const Recording& b);

/// Whether all states are representable in single precision.
bool is_single(const Recording& recording);

/// Whether two backends, which integrate again, differ within `steps` steps from `start`. `found` is then the
/// difference after the first step that shows one.
bool find_first_difference(Backend& a, Backend& b, const Batch& start, std::int64_t steps, Difference& found);

}  // namespace polhode
