// Turns what the CUDA runtime returns into an error of the program.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace polhode {

/// Throws UnavailableError unless the call succeeded. `what` completes "the GPU could not ..."; every runtime call and
/// every launch goes through here, and a failure inside a kernel shows at the next call that waits for it.
void cuda_check(cudaError_t status, const char* what, std::source_location where = std::source_location::current());

}  // namespace polhode
