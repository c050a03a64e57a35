// Backend for one NVIDIA GPU, with one thread per trajectory. In a build without nvcc, stub.cpp takes its place.
#pragma once

#include <memory>
#include <string>

#include "backend/backend.hpp"
#include "polhode/run/targets.hpp"

namespace polhode {

struct CudaKernel;
struct CudaObservers;

/// Kernels of a run (kernels/kernels.hpp), in two modules.
struct CudaKernels {
  const CudaKernel* kernel;
  const CudaObservers* observers;
};

// The driver alone answers the following questions, before anything is allocated on the device: kernels can be compiled
// for it first.

/// Reason why CUDA cannot be used here, or an empty string if it can.
std::string cuda_problem();

/// Selects the device of one of several processes on a machine, `process` modulo the number of devices; does nothing
/// where there is none. Must precede any other call.
void choose_cuda_device(int process);

/// Compute capability of the selected device, ten times the major number plus the minor one. Throws UnavailableError
/// where CUDA cannot be used.
int cuda_capability();

/// Peak rate of the selected device in fused multiply-adds a second: multiprocessors x units x clock; NaN where the
/// number of units is not known.
double cuda_fma_peak(Precision precision);

struct CudaOptions {
  /// Number of crossings that the device can hold in a segment; at least the number of trajectories. 0: what there is
  /// memory for.
  std::int64_t capacity = 0;
};

/// Makes a CUDA backend. Throws UnavailableError with cuda_problem() if there is no usable device.
std::unique_ptr<Backend> make_cuda_backend(const RunPlan& plan, const CudaKernels& kernels, int dim,
                                           const CudaOptions& options = {});

}  // namespace polhode
