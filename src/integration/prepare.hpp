// Everything that a run needs before its first step. What can be wrong with a specification is found here.
#pragma once

#include <functional>
#include <optional>

#include "ensemble/initial.hpp"
#include "integration/backends.hpp"
#include "result/sink.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

struct PreparedRun {
  ResolvedRun run;
  InitialStates initial;
  RunPlan plan;
  ChosenBackend chosen;
  std::optional<ShadowKernel> shadow{};  ///< for a run that records shadow energies

  /// Layout of what a run leaves of `trajectories` trajectories, `slice` of them in a slice.
  RunLayout layout(std::int64_t trajectories, std::int64_t slice) const;
  std::int64_t n() const { return initial.starts.count(); }
};

/// Prepares a run up to its first step. Throws InputError, UnavailableError, and IoError where starts cannot be read.
PreparedRun prepare(const RunSpec& spec, const ReadStates& read, const StartsProgress& progress = {});

/// Adds the plan and the backend to a run whose `run` is resolved and `initial` is made; for processes that share the
/// starts.
void complete(PreparedRun& prepared, Kernels kernels = Kernels::loaded);

}  // namespace polhode
