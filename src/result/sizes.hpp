// Size of a result that does not exist yet.
#pragma once

#include <functional>

#include "polhode/core/array.hpp"
#include "result/run_description.hpp"

namespace polhode {

/// Calls visit(shape, element) for every array of a result with these numbers of trajectories and section points.
/// element: bytes of one element of the array; a text counts as 8.
void for_each_shape(const RunDescription& run, double trajectories, double points,
                    const std::function<void(const Shape& shape, double element)>& visit);

/// Bytes in memory of all arrays of a result with these numbers of trajectories and section points.
double array_bytes(const RunDescription& run, double trajectories, double points);

}  // namespace polhode
