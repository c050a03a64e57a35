// The loop over an ensemble: one slice of its trajectories after another, each from its start to the last step, segment
// by segment. What a slice leaves goes into the sink, so that memory does not grow with the ensemble.
#pragma once

#include <cstdint>
#include <span>

#include "backend/backend.hpp"
#include "integration/sink.hpp"
#include "polhode/core/report.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

/// What is integrated: of a run the trajectories that start at states[n][dim].
struct Task {
  const ResolvedRun& run;
  const Plan& plan;
  std::span<const double> states;
};

/// Trajectories of a slice, on this backend: run.slice or what the backend likes.
std::int64_t slice_of(const ResolvedRun& run, const Backend& backend);

/// Goes on from where the sink stands to the last step, or until it is stopped.
Integrated integrate(const Task& task, Backend& backend, Sink& sink, const Progress& progress);

}  // namespace polhode
