// The loop over an ensemble: one slice of its trajectories after another, each from its start to the last step, segment
// by segment. What a slice leaves goes into the sink, so that memory does not grow with the ensemble.
#pragma once

#include <cstdint>

#include "backend/backend.hpp"
#include "ensemble/starts.hpp"
#include "integration/sink.hpp"
#include "polhode/core/report.hpp"
#include "result/initial_rows.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

/// Trajectories of a run from `first` on, as many as the sink's layout says.
struct Task {
  const ResolvedRun& run;
  const RunPlan& plan;
  const Starts& starts;
  std::int64_t first = 0;
  EarlierRun* earlier = nullptr;  ///< the run from whose end this one goes on; null where it begins at step 0
};

/// States of a task at step 0, as a result asks for them. The task must outlive them.
InitialRows rows_of(const Task& task);

/// Number of trajectories of a slice: run.slice or the backend's preferred batch.
std::int64_t slice_of(const ResolvedRun& run, const Backend& backend);

/// Goes on from where the sink stands to the last step, or until it is stopped.
Integrated integrate(const Task& task, Backend& backend, Sink& sink, const Progress& progress);

}  // namespace polhode
