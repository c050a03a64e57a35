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

/// Position of a run: the first trajectory of a slice, and the number of steps it has completed.
struct RunPosition {
  std::int64_t first = 0, step = 0;
};

/// Progress of a run. Steps are counted over all trajectories, as if none ended early.
struct RunProgress {
  std::int64_t trajectories = 0;
  double steps = 0, all = 0;
  double begun = 0;  ///< steps completed before the run was resumed
  std::int64_t points = 0;
  double seconds = 0;  ///< since the run was started or resumed
};
/// Called before every segment, about every tenth of a second; false stops the run, with a checkpoint if its result is
/// a file. Called once more at the end.
using Progress = std::function<bool(const RunProgress&)>;

struct IntegrationReport {
  bool complete = true;    ///< otherwise it was stopped
  RunPosition begin, end;  ///< begin: where the run was resumed
  std::int64_t steps = 0;  ///< taken since `begin` by the trajectories of completed slices
  std::int64_t points = 0, unrefined = 0;
  double seconds = 0;
  std::vector<std::int64_t> counts;  ///< of the density, [bins 0][bins 1], then points outside; empty without one
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
  std::string table;                 ///< of a Runge-Kutta method, in words, e.g. "dop853, order 8"; empty without one
  std::string composition;           ///< composition of the step, in words; empty without one
  std::vector<std::string> remarks;  ///< on the starts and the parameters

  IntegrationReport done;
  // For a complete run only:
  std::int64_t first_compared = 0;  ///< the step after which invariants are first compared with their initial values
  std::int64_t unknown = 0;         ///< trajectories that ended before `first_compared`
  /// The largest change over some trajectories, in which it is known, and the first that has it.
  struct Change {
    double largest = std::numeric_limits<double>::quiet_NaN();  ///< NaN if there are none
    std::int64_t trajectory = -1;                               ///< negative if there are none
  };
  /// Change of an invariant over the trajectories that reached the end of the run or their event.
  struct Drift : Change {
    std::string invariant;
    Change early{};  ///< over those that failed or left an open domain
  };
  std::vector<Drift> drifts;  ///< drifts of the recorded invariants
  /// Changes of sign about the section that are round-off, not crossings, and the trajectories that have such.
  std::int64_t round_off = 0, with_round_off = 0;
  double missed = 0;                         ///< estimate of crossings between steps
  bool long_steps = false;                   ///< whether the method looks for two crossings in one step
  std::array<Ending, n_statuses> endings{};  ///< [Status]

  /// Meanings of the statuses for this system, [n_statuses].
  std::vector<std::string> meanings;
  bool open = false;            ///< leaving the domain of the system is a result
  std::string system_in_space;  ///< the same without the chart that its trajectories may leave; empty if there is none

  const Ending& of(Status status) const { return endings[static_cast<std::size_t>(status)]; }
  /// Whether any trajectory has a result. Otherwise the run has none.
  bool any_success() const {
    for (int code = 0; code < n_statuses; ++code)
      if (is_result(static_cast<Status>(code), open) && endings[static_cast<std::size_t>(code)].count > 0) return true;
    return false;
  }
};

}  // namespace polhode
