// Report and progress of a run, as plain data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "polhode/method/status.hpp"

namespace polhode {

/// Position of a run: the first trajectory of the slice that the run is in, and the steps completed by this slice.
struct RunPosition {
  std::int64_t first = 0, step = 0;
};

/// Progress of a run. Steps are counted over all trajectories, as if none ended early.
struct RunProgress {
  std::int64_t trajectories = 0;
  double steps = 0, all = 0;  ///< steps completed so far, and those of the whole run
  double steps_before = 0;    ///< steps completed before the run was resumed
  std::int64_t points = 0;    ///< section points so far
  double seconds = 0;         ///< since the run was started or resumed
};
/// Function that a run calls before every segment, about every tenth of a second. It returns whether the run goes on;
/// false stops the run, with a checkpoint if the result is a file. A complete run calls it once more at the end.
using Progress = std::function<bool(const RunProgress&)>;

struct IntegrationReport {
  bool complete = true;    ///< whether the run came to its end; otherwise it was stopped
  RunPosition begin, end;  ///< positions between which this process integrated; begin: where the run was resumed
  std::int64_t steps = 0;  ///< steps taken since `begin` by the trajectories of completed slices
  /// Section points of the whole run so far; crossings since `begin` that no valid step leads to, which are no points.
  std::int64_t points = 0, unrefined = 0;
  double seconds = 0;  ///< time since `begin`
  /// Counts of the density, [bins 0][bins 1], then the number of points outside; empty without a density.
  std::vector<std::int64_t> counts;
};

/// Trajectories that ended with one status.
struct Ending {
  std::int64_t count = 0;
  std::int64_t first = 0, step = 0;  ///< the first such trajectory, if any, and the step after which it ended
};

struct RunReport {
  // What was run, and where.
  std::int64_t trajectories = 0, steps = 0;
  double step = 0;  ///< h
  std::string system, method, solver, section, backend, device, isa;
  std::string table;                 ///< table of a Runge-Kutta method, e.g. "dop853, order 8"; empty without one
  std::string composition;           ///< composition of the step, in words; empty without one
  std::vector<std::string> remarks;  ///< remarks on the starts and the parameters

  IntegrationReport done;
  std::int64_t first_compared = 0;  ///< first step at which invariants are compared with their initial values
  // Known of a complete run only, up to `endings`, but for long_steps:
  std::int64_t unknown = 0;  ///< number of trajectories that ended before step `first_compared`
  /// Drift (docs/glossary.md) that is the largest over some of the trajectories, and the first trajectory that has it.
  /// Trajectories that ended before step `first_compared`, or whose drift is NaN, are left out.
  struct Change {
    double largest = std::numeric_limits<double>::quiet_NaN();  ///< NaN if all of them are left out
    std::int64_t trajectory = -1;                               ///< negative if all of them are left out
  };
  /// Largest drift of an invariant over the trajectories that reached the end of the run or a terminal section.
  struct Drift : Change {
    std::string invariant;
    Change early{};  ///< largest drift over the other trajectories, which failed or left the domain
  };
  std::vector<Drift> drifts;  ///< drifts of the recorded invariants
  /// Number of changes of sign about the section that are round-off, not crossings; number of trajectories with any.
  std::int64_t round_off = 0, with_round_off = 0;
  /// Estimated number of crossings that were missed, in steps at whose two ends the observable is on the same side.
  double missed = 0;
  bool long_steps = false;                   ///< whether the method looks for two crossings in one step
  std::array<Ending, n_statuses> endings{};  ///< trajectories that ended with each status, [Status]

  /// Meanings of the statuses for this system, [n_statuses].
  std::vector<std::string> meanings;
  bool open = false;            ///< whether leaving the domain of the system is a result, not a failure
  std::string system_in_space;  ///< name of the same system in Cartesian coordinates, in which trajectories go on past
                                ///< the edge of this one's chart; empty if there is none

  const Ending& of(Status status) const { return endings[static_cast<std::size_t>(status)]; }
  /// Whether any trajectory ended with a result (is_result in method/status.hpp), not with a failure.
  bool any_success() const {
    for (int code = 0; code < n_statuses; ++code)
      if (is_result(static_cast<Status>(code), open) && endings[static_cast<std::size_t>(code)].count > 0) return true;
    return false;
  }
};

}  // namespace polhode
