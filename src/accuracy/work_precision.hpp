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

/// Work and errors of a method with one length of step. Errors are quantiles over the trajectories (comparison.hpp).
struct WorkPrecisionRow {
  double step = 0;
  std::int64_t steps = 0;
  std::int64_t failed = 0;  ///< trajectories that did not reach the end
  double nanoseconds = 0;   ///< processor time, sections included, for a unit of time of one trajectory
  double stages = 0;        ///< number of stages for a unit of time of one trajectory
  Quantiles state = {};     ///< relative distance from the reference at the end
  Quantiles points = {};    ///< relative distance of section points from those of the reference
  double energy = 0;        ///< median over the trajectories of the largest |H - H(0)|; NaN: unknown
  /// Trajectories that reach the end here and in the reference, with different numbers of section points.
  std::int64_t other_counts = 0;
};

struct WorkPrecisionCurve {
  MethodVariant variant;
  std::vector<WorkPrecisionRow> rows;  ///< the longest step first
};

struct WorkPrecisionReference {
  std::string label;
  double step = 0;
  Quantiles change;         ///< distances of the states at the end from those with twice the step
  std::int64_t failed = 0;  ///< trajectories that do not reach the end
};

struct WorkPrecisionReport {
  double time = 0;  ///< the time over which orbits are compared
  std::int64_t trajectories = 0;
  std::string isa;      ///< instruction set
  std::string section;  ///< the section in words; empty without one
  /// The references, the one with the smallest median `change` first: two, of different step maps where the methods
  /// allow, else of two orders; or one where there is no second. Errors of a variant are distances from the first
  /// reference by another step map, or else by another variant; a variant that is the only reference has no errors.
  std::vector<WorkPrecisionReference> references;
  bool independent = false;              ///< whether the step maps of the two references differ
  Quantiles states_apart, points_apart;  ///< distances of the two references; NaN where there is only one
  /// Bounds below which errors are unknown: three times `states_apart` and `points_apart`, or three times round-off
  /// where that is more; with one reference three times its change for states, and NaN for points.
  Quantiles states_known_from, points_known_from;
  /// Number of trajectories that are chaotic over the time (accuracy/chaos.hpp), if it is known.
  std::optional<std::int64_t> chaotic;
  std::vector<WorkPrecisionCurve> curves;
  /// Methods that cannot be used with the run's parameters, and variants whose kernels are absent and cannot be
  /// compiled.
  std::vector<UnusableMethod> unusable;
};

/// Observer of the progress. label: what is being computed, in words; done: number of variants that are done; all:
/// number of all variants, 0 while it is not known.
using WorkPrecisionProgress = std::function<void(const std::string& label, std::int64_t done, std::int64_t all)>;

/// Report on the methods called `methods`, or on all methods of the system where that is empty. Throws InputError where
/// one of them is unknown, none of them can be used, or no method of the system can be a reference, and
/// UnavailableError where a kernel of one that is named, or all kernels, are absent and cannot be compiled.
WorkPrecisionReport measure_work_precision(const Orbits& orbits, const std::vector<std::string>& methods,
                                           const WorkPrecisionProgress& progress = {});

/// Row of a report, and the curve that the row is of; both null where there is no such row.
struct Cheapest {
  const WorkPrecisionCurve* curve = nullptr;
  const WorkPrecisionRow* row = nullptr;
};
/// The fastest row in which the states of shares[share] of the trajectories are in error by at most `error`, and no
/// more trajectories fail than in the reference where the most fail.
Cheapest cheapest(const WorkPrecisionReport& report, double error, std::size_t share);

}  // namespace polhode
