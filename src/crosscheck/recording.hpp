// What a backend makes of an ensemble: its states at some steps, and its section.
#pragma once

#include <functional>
#include <vector>

#include "backend/backend.hpp"

namespace polhode {

struct Recording {
  std::vector<std::int64_t> steps;  ///< at which there are states; the start first
  std::vector<Batch> states;
  SectionPoints section;  ///< by trajectory, then by step
};

/// Told the step that has been reached, about every tenth of a second and at every step of the recording.
using Reached = std::function<void(std::int64_t step)>;

/// Runs `start` up to the last of the steps, which grow from 0.
Recording record(Backend& backend, const Batch& start, const std::vector<std::int64_t>& steps,
                 const Reached& reached = {});

/// A place where two batches that should have the same bits do not.
struct Difference {
  std::int64_t trajectory = 0, step = 0;
  int column = -1;        ///< of the state; -1: the status, the steps that were completed, or an invariant
  double a = 0, b = 0;    ///< what is there
  std::int64_t ulps = 0;  ///< of doubles between them
};

/// The first one in the order of columns, if there is one.
bool find_difference(const Batch& a, const Batch& b, std::int64_t step, Difference& found);

/// A section point that two recordings, both in the order of trajectories and steps, do not share.
struct PointDifference {
  enum class Kind { column, time, only_in_a, only_in_b };
  Kind kind = Kind::column;
  std::int64_t trajectory = 0, crossing = 0, step = 0;  ///< crossing: among the points of its trajectory, from 0
  int column = -1;                                      ///< of the state, where it is one that differs
  double a = 0, b = 0;                                  ///< what is there: of the state, or the fraction of the step
  std::int64_t ulps = 0;                                ///< of doubles between them
};
/// The first one, if there is one.
bool find_difference(const SectionPoints& a, const SectionPoints& b, PointDifference& found);

/// Whether some trajectory took a step in both: otherwise they have nothing but their starts to compare.
bool have_steps(const Recording& a, const Recording& b);

/// Whether every state is a number of single precision.
bool is_single(const Recording& recording);

/// The first step after which two backends differ from the same start, and where; within `steps`.
bool find_first_difference(Backend& a, Backend& b, const Batch& start, std::int64_t steps, Difference& found);

}  // namespace polhode
