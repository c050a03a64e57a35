// The loop over an ensemble: one slice of its trajectories after another, each from its start to the last step, segment
// by segment. What a slice leaves goes into the part folder, so that memory does not grow with the ensemble.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "backend/backend.hpp"
#include "driver/section_density.hpp"
#include "output/part_folder.hpp"
#include "parallel/ranks.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

/// What is integrated, and into what. The starts are [n][dim].
struct IntegrationPlan {
  const ResolvedRun& run;
  const Plan& plan;
  std::span<const double> starts;
  std::string identity;  ///< what a run must agree in to go on from its checkpoints
  bool show_progress;
  Ranks& ranks;  ///< those that the ensemble is shared out among
};

/// Where a run is: the first trajectory of a slice, and how many steps it has completed.
struct Place {
  std::int64_t first = 0, step = 0;
};

struct Integrated {
  bool complete;       ///< otherwise it was interrupted, with a checkpoint
  Place begin, end;    ///< begin: where it was resumed
  std::int64_t steps;  ///< that the trajectories of the slices which were completed have taken since `begin`
  std::int64_t points, unrefined;
  double seconds;
};

/// Trajectories of a slice, on this backend: run.slice or what the backend likes.
std::int64_t slice_of(const ResolvedRun& run, const Backend& backend);

/// Goes on from the folder's checkpoint, if it has one, to the last step, or until it is interrupted
/// (interruption.hpp), here or on another rank. density: of a run with one.
Integrated integrate(const IntegrationPlan& integration, Backend& backend, PartFolder& part, SectionDensity* density);

}  // namespace polhode
