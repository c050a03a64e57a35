// Section points of a result, put in the order of trajectories and times.
#pragma once

#include <cstdint>

#include "result/assembly.hpp"

namespace polhode {

/// Writes the rows of /section/state, trajectory, time and step.
void fill_points(const FindRows& find, const RunRecords& result, const Position& position, std::int64_t threads);

}  // namespace polhode
