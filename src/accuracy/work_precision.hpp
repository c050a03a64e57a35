// What accuracy costs: the errors of all methods on some orbits of a run, against their time and their work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "accuracy/method_variants.hpp"
#include "accuracy/orbits.hpp"

namespace polhode {

/// A method with one step. Errors are medians over trajectories (accuracy/comparison.hpp), NaN where they are unknown.
struct WorkPrecisionRow {
  double step = 0;
  std::int64_t steps = 0;
  std::int64_t failed = 0;  ///< trajectories that did not reach the end
  // For a unit of time of one trajectory:
  double nanoseconds = 0;         ///< of the processor, sections included
  double stages = 0;              ///< evaluations of the step map
  double state = 0;               ///< relative distance from the reference at the end
  double points = 0;              ///< relative distance of section points
  double energy = 0;              ///< the largest |H - H(0)| on the way
  std::int64_t other_counts = 0;  ///< trajectories with another number of section points than the reference
  // Whether the error is above what the references tell (WorkPrecisionReport).
  bool state_resolved = false, points_resolved = false;
};

struct WorkPrecisionCurve {
  MethodVariant variant;
  std::vector<WorkPrecisionRow> rows;  ///< the longest step first
};

struct WorkPrecisionReference {
  std::string label;
  double step = 0;
  double change = 0;        ///< of its states at the end by halving the step before, the median
  std::int64_t failed = 0;  ///< trajectories that do not reach the end
};

struct WorkPrecisionReport {
  double time = 0;  ///< over which orbits are compared
  std::int64_t trajectories = 0;
  std::string isa;      ///< instruction set
  std::string section;  ///< in words; empty without one
  /// Two, of different step maps where the system has them; errors are distances from the first, for methods of its map
  /// from the second. One where there are not so many methods.
  std::vector<WorkPrecisionReference> references;
  bool independent = false;                   ///< their step maps differ
  double states_apart = 0, points_apart = 0;  ///< of the references, medians; NaN if there is one
  /// Three times these, or round-off: smaller errors are unknown. Of one reference three times its change.
  double states_known_from = 0, points_known_from = 0;
  std::vector<WorkPrecisionCurve> curves;
  std::vector<UnusableMethod> unusable;
};

/// Observer of the progress: what is being computed, and how much of all of it is done; of 0 where it is not known.
using WorkPrecisionProgress = std::function<void(const std::string& label, std::int64_t done, std::int64_t all)>;

/// methods: names; empty for all of the system.
WorkPrecisionReport measure_work_precision(const Orbits& orbits, const std::vector<std::string>& methods,
                                           const WorkPrecisionProgress& progress = {});

/// The cheapest row of all curves whose state is in error by at most `error`, and where no more trajectories fail than
/// in the references; null where there is none.
struct Cheapest {
  const WorkPrecisionCurve* curve = nullptr;
  const WorkPrecisionRow* row = nullptr;
};
Cheapest cheapest(const WorkPrecisionReport& report, double error);

}  // namespace polhode
