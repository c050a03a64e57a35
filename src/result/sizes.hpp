// Size of a result that does not exist yet.
#pragma once

#include <functional>

#include "polhode/core/array.hpp"
#include "result/run_description.hpp"

namespace polhode {

/// Calls f with the shape of every array of a result with given numbers of trajectories and section points, and with
/// the bytes of one of its elements; strings count as 8.
void for_each_shape(const RunDescription& run, double trajectories, double points,
                    const std::function<void(const Shape& shape, double element)>& f);

/// Bytes in memory of all arrays of a result.
double array_bytes(const RunDescription& run, double trajectories, double points);

}  // namespace polhode
