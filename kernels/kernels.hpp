// Exports of a CUDA unit: host functions that launch its kernels, so that no caller needs nvcc.
//
// All pointers in views are device pointers; the views themselves and the plan are passed as kernel arguments.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "polhode/observer/selection.hpp"
#include "polhode/observer/statistics.hpp"
#include "polhode/run/carried.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

/// Selected points of the crossings of a segment.
struct DeviceSelection {
  std::int64_t* found;          ///< points stored or counted
  std::int64_t* unrefined;      ///< crossings that no valid step reaches
  std::int64_t* section_count;  ///< [n], incremented for each point of a trajectory; null: not counted
  std::int64_t* round_off;      ///< [n], incremented for each change of sign that is round-off; null: not counted
  std::int64_t* counts;         ///< counts of the density
  CrossingView points;          ///< points that are stored, in any order
};

/// One solver of a method on one system in one precision. Each function returns the status of its launch.
struct CudaKernels {
  /// Advances every trajectory of the batch over the segment; does nothing, and so leaves the list of crossings empty,
  /// where `poison` is set. See run/propagate.hpp.
  cudaError_t (*propagate)(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                           const CrossingView& crossings, double* snapshots, const std::uint32_t* poison,
                           cudaStream_t stream);
  /// Refines the crossings of the list and selects from them; does nothing if the list has overflowed. See
  /// run/refine.hpp and run/select_point.hpp.
  cudaError_t (*collect)(const Plan& plan, const PointSelection& selection, const CrossingView& list,
                         const DeviceSelection& to, cudaStream_t stream);
  /// Statistics at one time: moments[block][observable], and counts to which theirs are added. See
  /// observer/statistics.hpp.
  cudaError_t (*statistics)(const Plan& plan, const StatisticsPlan& statistics, const StatesAt& at,
                            SampleMoments* moments, std::int64_t* counts, cudaStream_t stream);
};

/// One method on one system: [solver][precision], null for a precision that was not compiled.
using CudaTable = const CudaKernels* const (*)[2];

}  // namespace polhode
