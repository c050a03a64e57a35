// Exports of a CUDA unit: host functions that launch its kernels, so that no caller needs nvcc.
//
// All pointers in views are device pointers; the views themselves and the plan are passed as kernel arguments.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "polhode/run/carried.hpp"
#include "polhode/run/select_points.hpp"

namespace polhode {

/// One solver of a method on one system in one precision. Each function returns the status of its launch.
struct CudaKernels {
  /// Advances every trajectory of the batch over the segment. See run/propagate.hpp.
  cudaError_t (*propagate)(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                           const CrossingView& crossings, double* snapshots, cudaStream_t stream);
  /// Refines the first `count` crossings of the list. See run/refine.hpp.
  cudaError_t (*refine)(const Plan& plan, const CrossingView& list, std::int64_t count, cudaStream_t stream);
  /// Selects from refined crossings on the host. See run/select_points.hpp.
  SelectPoints* select_points;
};

/// One method on one system: [solver][precision], null for a precision that was not compiled.
using CudaTable = const CudaKernels* const (*)[2];

}  // namespace polhode
