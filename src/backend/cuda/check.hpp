// Converts status codes of the CUDA runtime to errors of the program.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace polhode {

/// Throws UnavailableError unless `status` is cudaSuccess. `what` completes "the GPU could not ...". All launches and
/// runtime calls are checked, but for the search for devices and for calls of destructors; a failure inside a kernel
/// appears at the next call that waits for the kernel.
void cuda_check(cudaError_t status, const char* what, std::source_location where = std::source_location::current());

}  // namespace polhode
