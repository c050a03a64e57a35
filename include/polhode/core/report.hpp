// What a run has come to, as plain data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "polhode/method/status.hpp"

namespace polhode {

/// Where a run is: the first trajectory of a slice, and how many steps it has completed.
struct Place {
  std::int64_t first = 0, step = 0;
};

/// How far a run has come. Steps are those of all trajectories together, had none ended early.
struct RunProgress {
  std::int64_t trajectories = 0;
  double steps = 0, all = 0;
  double begun = 0;  ///< steps that were there when it was resumed
  std::int64_t points = 0;
  double seconds = 0;  ///< since then
};
/// Asked before every segment, about every tenth of a second: false stops the run, with a checkpoint where its result
/// is a file. Told once more at the end.
using Progress = std::function<bool(const RunProgress&)>;

struct Integrated {
  bool complete = true;    ///< otherwise it was stopped
  Place begin, end;        ///< begin: where it was resumed
  std::int64_t steps = 0;  ///< that the trajectories of the slices which were completed have taken since `begin`
  std::int64_t points = 0, unrefined = 0;
  double seconds = 0;
  std::vector<std::int64_t> counts;  ///< of the density [bins 0][bins 1], then points outside; empty without one
};

/// Trajectories that ended with one status.
struct Ending {
  std::int64_t count = 0;
  std::int64_t first = 0, step = 0;  ///< where there are any: the first of them, and the step after which it ended
};

struct RunReport {
  // What was run, and on what.
  std::int64_t trajectories = 0, steps = 0;
  double step = 0;  ///< h
  std::string system, method, solver, section, backend, device, isa;
  std::string composition;  ///< of steps, in words; empty without one
  std::string remark;       ///< of the starts; may be empty

  Integrated done;
  // Of a run that is complete:
  std::int64_t first_compared = 0;  ///< the step after which invariants are first compared with their initial values
  std::int64_t unknown = 0;         ///< trajectories that ended before
  struct Drift {
    std::string invariant;
    double largest = 0;  ///< of the trajectories in which it is known; NaN where there are none
  };
  std::vector<Drift> drifts;                 ///< of the invariants that are kept
  std::array<Ending, n_statuses> endings{};  ///< [Status]

  const Ending& of(Status status) const { return endings[static_cast<std::size_t>(status)]; }
  /// Whether some trajectory went on to its end, or to an event: a run without one has no result.
  bool any_success() const { return of(Status::ok).count + of(Status::event).count > 0; }
};

}  // namespace polhode
