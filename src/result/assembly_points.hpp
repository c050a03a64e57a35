// Section points of a result, put in the order of trajectories and times.
#pragma once

#include <cstdint>

#include "result/assembly.hpp"

namespace polhode {

/// Writes the rows of /section/state, /section/trajectory, /section/time and /section/step, on at most `threads`
/// threads. Throws InputError where the records are damaged.
void fill_points(const FindRows& find, const RunRecords& result, const Position& position, std::int64_t threads);

}  // namespace polhode
