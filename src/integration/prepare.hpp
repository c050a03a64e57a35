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
  std::optional<ShadowKernel> shadow{};  ///< kernel of the shadow energies, if they are recorded and kernels loaded

  /// Layout of the results of `trajectories` trajectories, in slices of `slice`; its `begin` is left to the caller.
  RunLayout layout(std::int64_t trajectories, std::int64_t slice) const;
  std::int64_t n() const { return initial.starts.count(); }
};

/// Prepares a run up to its first step. Throws InputError where the run is wrong, UnavailableError where its backend or
/// kernels are unavailable, IoError where kernels cannot be written, and what `read` and `progress` throw.
PreparedRun prepare(const RunSpec& spec, const ReadStates& read, const StartsProgress& progress = {});
/// Run up to its first step, of one that is resolved; throws as the function above.
PreparedRun prepare(ResolvedRun run, const ReadStates& read, const StartsProgress& progress = {});

/// Completes a run whose `run` is resolved and whose `initial` has been examined: adds remarks, the plan, the backend
/// and, if `presence` is Kernels::loaded, the kernel of shadow energies. For processes that share the starts.
void complete(PreparedRun& prepared, Kernels presence = Kernels::loaded);

}  // namespace polhode
