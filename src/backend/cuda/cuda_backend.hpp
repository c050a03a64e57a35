// Backend for one NVIDIA GPU, with one thread per trajectory. Built without nvcc, stub.cpp takes its place.
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

// The following questions are answered by the driver alone: nothing is taken of the device yet, so that kernels can be
// compiled for it first.

/// Reason why CUDA cannot be used here, or an empty string if it can.
std::string cuda_problem();

/// Selects a device for one of several processes on a machine: the number of the process, modulo the number of devices.
/// Must precede any other call.
void choose_cuda_device(int process);

/// Compute capability of the device: ten times its major number, and the minor one.
int cuda_capability();

/// Fused multiply-adds a second that the current device can do, by its multiprocessors, their units and their clock;
/// NaN where the units are not known.
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
