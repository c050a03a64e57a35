// Everything that a run needs before its first step. What can be wrong with a specification is found here.
#pragma once

#include <functional>

#include "ensemble/initial.hpp"
#include "integration/backends.hpp"
#include "integration/sink.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

struct Prepared {
  ResolvedRun run;
  InitialStates starts;  ///< of the whole ensemble
  Plan plan;
  ChosenBackend chosen;

  /// Of the trajectories in slices of so many.
  RunLayout layout(std::int64_t trajectories, std::int64_t slice) const;
  /// starts[first], ..., [count][dim].
  std::span<const double> states(std::int64_t first, std::int64_t count) const;
};

/// Throws InputError, UnavailableError, and IoError where starts are read.
Prepared prepare(const RunSpec& spec, const ReadStates& read, const StartsProgress& progress = {});

}  // namespace polhode
