// Starts drawn at random: each from a stream of its own (random_stream.hpp).
#pragma once

#include <vector>

#include "ensemble/run_spec.hpp"

namespace polhode {

/// [count][dim], of ensemble.from = "random". Throws InputError where the system has no such distribution, or no states
/// in it.
std::vector<double> draw_states(const RunSpec& spec);

}  // namespace polhode
