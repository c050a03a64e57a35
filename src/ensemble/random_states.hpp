// Starts drawn at random: each from a stream of its own (random_stream.hpp).
#pragma once

#include <vector>

#include "ensemble/starts_progress.hpp"
#include "spec/resolved_run.hpp"

namespace polhode {

/// [count][dim]. Throws InputError where the system has no such distribution, or no states in it.
std::vector<double> draw_states(const ResolvedRun& run, const RandomStarts& starts, const StartsProgress& progress);

}  // namespace polhode
