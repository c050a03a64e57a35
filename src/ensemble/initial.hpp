// Where trajectories start.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backend/batch.hpp"
#include "ensemble/run_spec.hpp"

namespace polhode {

struct InitialStates {
  std::int64_t n = 0;
  std::vector<double> state;  ///< [n][dim]
  std::string remark;         ///< what a user should know, e.g. how many grid points were outside; may be empty
};

/// Throws InputError when there are none, or one that the system does not allow.
InitialStates make_initial_states(const RunSpec& spec);

/// The batch at step 0 of states[n][dim].
Batch make_batch(const RunSpec& spec, const Plan& plan, std::span<const double> states);

}  // namespace polhode
