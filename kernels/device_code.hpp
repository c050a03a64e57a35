// Device code that belongs to no system.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace polhode {

/// Checks that this program contains code for the current GPU; returns a status.
cudaError_t find_device_code();

// Launches, which return their status.

/// Sets *overflowed to 1 if *count is larger than `room`.
cudaError_t launch_check(const std::int64_t* count, std::int64_t room, std::uint32_t* overflowed, cudaStream_t stream);

/// Copies n counts, unless *overflowed is set.
cudaError_t launch_carry_on(const std::int64_t* from, std::int64_t* to, std::int64_t n, const std::uint32_t* overflowed,
                            cudaStream_t stream);

}  // namespace polhode
