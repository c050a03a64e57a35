// Check that a program contains code for its GPU.
#pragma once

#include <cuda_runtime_api.h>

namespace polhode {

cudaError_t find_device_code();

}  // namespace polhode
