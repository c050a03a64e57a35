// Puts captured crossings into the order that files have: by trajectory, then by step.
//
// The sort is CUB's and lives in this unit alone. Threads take places in the list in any order, but each takes its own
// in the order of its steps, so that a stable sort by trajectory is enough.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "polhode/observer/section.hpp"

namespace polhode {

/// Device memory that ordering up to `capacity` crossings needs besides the two lists. Below 2^32 crossings.
cudaError_t ordering_scratch(std::int64_t capacity, std::size_t* bytes);

/// Fills `ordered` with the first `count` crossings of `captured`, which came from trajectories below n.
cudaError_t order_crossings(const CrossingView& captured, const CrossingView& ordered, std::int64_t count, int dim,
                            std::int64_t n, void* scratch, std::size_t scratch_bytes, cudaStream_t stream);

/// Whether this program holds code that the current GPU can run.
cudaError_t find_device_code();

}  // namespace polhode
