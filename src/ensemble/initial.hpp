// Where trajectories start, and the plan of what follows from there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backend/batch.hpp"
#include "ensemble/starts_progress.hpp"
#include "polhode/core/read_states.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

struct InitialStates {
  std::int64_t n = 0;
  std::vector<double> state;         ///< [n][dim]
  std::vector<std::string> remarks;  ///< what a user should know, e.g. how many grid points have none
};

/// Throws InputError when there are none, or one that the system does not allow.
InitialStates make_initial_states(const ResolvedRun& run, const ReadStates& read, const StartsProgress& progress = {});

/// What the fast backends need to know of a run that starts at states[n][dim].
Plan make_plan(const ResolvedRun& run, const std::vector<double>& states);

/// The batch at step 0 of states[n][dim].
Batch make_batch(int dim, const Plan& plan, std::span<const double> states);

}  // namespace polhode
