// Backend for one NVIDIA GPU, with one thread per trajectory. In a build without nvcc, stub.cpp takes its place.
#pragma once

#include <memory>
#include <string>

#include "backend/backend.hpp"
#include "polhode/run/targets.hpp"

namespace polhode {

struct CudaKernel;
struct CudaObservers;

/// Functions of a run, from two modules: the kernel, and the observers of its system (kernels/kernels.hpp).
struct CudaKernels {
  const CudaKernel* kernel;
  const CudaObservers* observers;
};

// The CUDA driver alone answers the following questions, before anything is allocated on the device: kernels can be
// compiled for it first.

/// Reason why CUDA cannot be used here, or an empty string if it can.
std::string cuda_problem();

/// Selects the device for one of several processes on a machine: that with the number `process` modulo the number of
/// devices. Does nothing where there is no device. Must precede all calls that concern the device.
void choose_cuda_device(int process);

/// Compute capability of the selected device, ten times the major number plus the minor one. Throws UnavailableError
/// where CUDA cannot be used.
int cuda_capability();

/// Peak rate of the selected device in fused multiply-adds a second: multiprocessors x units x clock; NaN where the
/// number of units is not known, or CUDA is not compiled in. Throws UnavailableError where CUDA is compiled in, but
/// cannot be used.
double cuda_fma_peak(Precision precision);

struct CudaOptions {
  /// Number of crossings in one segment that the device has room for; the backend raises it to least_capacity(), so
  /// that a segment of one step fits. 0: chosen for the run, by the free memory.
  std::int64_t capacity = 0;
};

/// Makes a CUDA backend. dim: number of columns of a state. Throws UnavailableError, with the reason, where CUDA cannot
/// be used.
std::unique_ptr<Backend> make_cuda_backend(const RunPlan& plan, const CudaKernels& kernels, int dim,
                                           const CudaOptions& options = {});

}  // namespace polhode
