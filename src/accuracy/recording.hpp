// Recording of an ensemble on one backend: states at some steps, and section points.
#pragma once

#include <functional>
#include <vector>

#include "backend/backend.hpp"
#include "integration/segment_length.hpp"

namespace polhode {

struct Recording {
  std::vector<std::int64_t> steps;  ///< steps at which states are recorded; the first is 0
  std::vector<Batch> states;        ///< batches at these steps
  SectionPoints section;            ///< ordered by trajectory, then by time
};

/// Observer of the step that has been reached, about ten times a second and at every recorded step.
using Reached = std::function<void(std::int64_t step)>;

/// Integration by a backend from step to step, in segments whose crossings fit and which take about a tenth of a
/// second.
class Advance {
 public:
  /// steps: the largest number of steps of a segment.
  Advance(Backend& backend, std::int64_t steps);

  /// Integrates from one step to another; crossings are appended to `section`.
  void operator()(std::int64_t from, std::int64_t to, SectionPoints& section, const Reached& reached = {});

 private:
  Backend& backend_;
  SegmentLength length_;
};

/// Steps i * steps / parts, rounded down, for i = 0, ..., parts; each only once where there are fewer steps than parts.
std::vector<std::int64_t> evenly_spaced_steps(std::int64_t steps, std::int64_t parts);

/// Recording from `start` at the given steps, which increase from 0.
Recording record(Backend& backend, const Batch& start, const std::vector<std::int64_t>& steps,
                 const Reached& reached = {});

}  // namespace polhode
