// Sorts captured crossings into the order of the files: by trajectory, then by step.
//
// The sort is CUB's and is instantiated in this unit alone. Threads reserve places in the list in any order, but each
// of them in the order of its steps, so that a stable sort by trajectory suffices.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "polhode/observer/section.hpp"

namespace polhode {

/// Device memory for ordering up to `capacity` crossings, besides the two lists; fewer than 2^32 crossings.
cudaError_t ordering_scratch(std::int64_t capacity, std::size_t* bytes);

/// Fills `ordered` with the first `count` crossings of `captured`, which are of trajectories below n.
cudaError_t order_crossings(const CrossingView& captured, const CrossingView& ordered, std::int64_t count, int dim,
                            std::int64_t n, void* scratch, std::size_t scratch_bytes, cudaStream_t stream);

/// Checks that this program contains code for the current GPU.
cudaError_t find_device_code();

}  // namespace polhode
