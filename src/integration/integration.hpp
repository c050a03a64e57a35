// The loop over an ensemble: one slice of its trajectories after another, each from its start to the last step, segment
// by segment. What a slice leaves goes into the sink, so that memory does not grow with the ensemble.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "integration/sink.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

/// What is integrated: of a run the trajectories that start at states[n][dim].
struct Task {
  const ResolvedRun& run;
  const Plan& plan;
  std::span<const double> states;
};

/// How far a run has come. Steps are those of all trajectories together, had none ended early.
struct RunProgress {
  double steps = 0, all = 0;
  double begun = 0;  ///< steps that were there when it was resumed
  std::int64_t points = 0;
  double seconds = 0;  ///< since then
};
/// Asked before every segment: false stops the run, with a checkpoint where the sink keeps one.
using Progress = std::function<bool(const RunProgress&)>;

struct Integrated {
  bool complete = true;    ///< otherwise it was stopped
  Place begin, end;        ///< begin: where it was resumed
  std::int64_t steps = 0;  ///< that the trajectories of the slices which were completed have taken since `begin`
  std::int64_t points = 0, unrefined = 0;
  double seconds = 0;
  std::vector<std::int64_t> counts;  ///< of the density [bins 0][bins 1], then points outside; empty without one
};

/// Trajectories of a slice, on this backend: run.slice or what the backend likes.
std::int64_t slice_of(const ResolvedRun& run, const Backend& backend);

/// Goes on from where the sink stands to the last step, or until it is stopped.
Integrated integrate(const Task& task, Backend& backend, Sink& sink, const Progress& progress);

}  // namespace polhode
