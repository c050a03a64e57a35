// Work and precision: the errors of all methods on some orbits of a run, against their time and their work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accuracy/comparison.hpp"
#include "accuracy/method_variants.hpp"
#include "accuracy/orbits.hpp"

namespace polhode {

/// A method with one step. Errors are those of shares of the trajectories (accuracy/comparison.hpp).
struct WorkPrecisionRow {
  double step = 0;
  std::int64_t steps = 0;
  std::int64_t failed = 0;  ///< trajectories that did not reach the end
  // For a unit of time of one trajectory:
  double nanoseconds = 0;         ///< of the processor, sections included
  double stages = 0;              ///< evaluations of the step map
  Quantiles state = {};           ///< relative distance from the reference at the end
  Quantiles points = {};          ///< relative distance of section points
  double energy = 0;              ///< the largest |H - H(0)| on the way, the median; NaN where it is unknown
  std::int64_t other_counts = 0;  ///< trajectories with another number of section points than the reference
};

struct WorkPrecisionCurve {
  MethodVariant variant;
  std::vector<WorkPrecisionRow> rows;  ///< the longest step first
};

struct WorkPrecisionReference {
  std::string label;
  double step = 0;
  Quantiles change;         ///< of its states at the end by halving the step before
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
  bool independent = false;              ///< their step maps differ
  Quantiles states_apart, points_apart;  ///< of the references; NaN if there is one
  /// Three times these, or round-off: smaller errors are unknown. Of one reference three times its change.
  Quantiles states_known_from, points_known_from;
  std::optional<std::int64_t> chaotic;  ///< trajectories that are so over the time (accuracy/chaos.hpp), if it is known
  std::vector<WorkPrecisionCurve> curves;
  std::vector<UnusableMethod> unusable;
};

/// Observer of the progress: what is being computed, and how much of all of it is done; of 0 where it is not known.
using WorkPrecisionProgress = std::function<void(const std::string& label, std::int64_t done, std::int64_t all)>;

/// methods: names; empty for all of the system.
WorkPrecisionReport measure_work_precision(const Orbits& orbits, const std::vector<std::string>& methods,
                                           const WorkPrecisionProgress& progress = {});

/// The cheapest row of all curves in which the states of one of the `shares` of the trajectories are in error by at
/// most `error`, and where no more trajectories fail than in the references; null where there is none.
struct Cheapest {
  const WorkPrecisionCurve* curve = nullptr;
  const WorkPrecisionRow* row = nullptr;
};
Cheapest cheapest(const WorkPrecisionReport& report, double error, std::size_t share);

}  // namespace polhode
