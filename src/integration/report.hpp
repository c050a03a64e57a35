// What a run has come to, as plain data.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "integration/integration.hpp"
#include "integration/prepare.hpp"
#include "polhode/method/status.hpp"

namespace polhode {

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
  std::string remark;  ///< of the starts; may be empty

  Integrated done;
  std::int64_t first_compared = 0;  ///< the step after which invariants are first compared with their initial values
  std::int64_t unknown = 0;         ///< trajectories that ended before
  struct Drift {
    std::string invariant;
    double largest = 0;  ///< of all trajectories
  };
  std::vector<Drift> drifts;                 ///< of the invariants that are kept
  std::array<Ending, n_statuses> endings{};  ///< [Status]

  const Ending& of(Status status) const { return endings[static_cast<std::size_t>(status)]; }
  /// Whether some trajectory went on to its end, or to an event: a run without one has no result.
  bool any_success() const { return of(Status::ok).count + of(Status::event).count > 0; }
};

/// Of a run that has taken no step.
RunReport start_report(const Prepared& prepared);

/// first: the ensemble's trajectory that is the sink's first. Endings and drifts only of a run that is complete.
RunReport make_report(const Prepared& prepared, const Integrated& done, const Sink& sink, std::int64_t first);

/// The step after which invariants are first compared with their initial values.
std::int64_t first_compared(const RunSpec& spec);

}  // namespace polhode
