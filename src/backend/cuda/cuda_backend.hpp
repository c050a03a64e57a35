// Runs an ensemble on one NVIDIA GPU, a thread for each trajectory. Without nvcc at build time stub.cpp stands in.
#pragma once

#include <memory>
#include <string>

#include "backend/backend.hpp"

namespace polhode {

/// Kernels of one method on one system in one precision; defined by the generated units in kernels/.
struct CudaKernels;

/// Why CUDA cannot be used here, or an empty string where it can.
std::string cuda_problem();

/// Of several processes on one machine each takes the device of its number, modulo that of devices. Before any other
/// call.
void choose_cuda_device(int process);

struct CudaOptions {
  /// Crossings that the device can hold in a segment; never less than the trajectories.
  std::int64_t capacity = std::int64_t{1} << 22;
};

/// Throws UnavailableError with cuda_problem() where there is no usable device.
std::unique_ptr<Backend> make_cuda_backend(const Plan& plan, const CudaKernels* kernels, int dim,
                                           const CudaOptions& options = {});

}  // namespace polhode
