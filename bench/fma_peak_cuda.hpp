// The most scalar fmas that a GPU executes.
#pragma once

#include <cstdint>

#include "backend/cpu/kernels.hpp"

namespace polhode::bench {

/// Fills the current GPU with independent fmas and waits for them. Returns how many scalar fmas that were, one for each
/// lane of a warp. Throws UnavailableError where there is no usable device.
std::int64_t run_cuda_fmas(Precision precision);

}  // namespace polhode::bench
