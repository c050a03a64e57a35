// The loop over an ensemble: one slice of its trajectories after another, each from its start to the last step, segment
// by segment. What a slice leaves goes into the sink, so that memory does not grow with the ensemble.
#pragma once

#include <cstdint>

#include "backend/backend.hpp"
#include "integration/prepare.hpp"
#include "polhode/core/report.hpp"
#include "result/initial_rows.hpp"
#include "result/sink.hpp"

namespace polhode {

/// States at step 0 of the trajectories of a run from `first` on, for the result, which asks for blocks of them. The
/// starts must outlive the value returned.
InitialRows rows_of(const Starts& starts, std::int64_t first = 0);

/// Number of trajectories of a slice: run.slice, or the backend's preferred batch where that is 0.
std::int64_t slice_of(const ResolvedRun& run, const Backend& backend);

/// Integrates the trajectories of a run from `first` on, as many as the sink's layout says, from the last checkpoint of
/// the sink (else from the start) to the last step, or until `progress` returns false. earlier: the run from whose end
/// this one goes on; null where it begins at step 0.
IntegrationReport integrate(const PreparedRun& run, Backend& backend, Sink& sink, const Progress& progress,
                            std::int64_t first = 0, EarlierRun* earlier = nullptr);

}  // namespace polhode
