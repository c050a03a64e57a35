// Exports of modules for GPUs: host functions that launch kernels, so that no caller needs nvcc. Each returns the
// status of its launch.
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

/// Results of the selection from the crossings of a segment: points, and counts that are added to.
struct DeviceSelection {
  std::int64_t* found;               ///< points stored or counted
  std::int64_t* unrefined;           ///< crossings that no valid step reaches
  CrossingCounts<PointerTo> counts;  ///< counts of each trajectory's crossings; null: not counted
  std::int64_t* density;             ///< counts of the density's cells
  CrossingView points;               ///< points that are stored, in any order
};

/// Time loop, and refinement of crossings, of one solver of a step map on a system, in one precision.
struct CudaKernel {
  /// Advances every trajectory of the batch over the segment; does nothing, and so leaves the list of crossings empty,
  /// where `overflowed` is set. See run/propagate.hpp.
  cudaError_t (*propagate)(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                           const CrossingView& crossings, double* snapshots, const std::uint32_t* overflowed,
                           cudaStream_t stream);
  /// Refines the crossings of the list and selects from them; does nothing if the list has overflowed. See
  /// run/refine.hpp and run/judge_point.hpp.
  cudaError_t (*collect)(const Plan& plan, const PointSelection& selection, const CrossingView& list,
                         const DeviceSelection& to, cudaStream_t stream);
};

/// Functions on states of a system, which do not depend on the step map.
struct CudaObservers {
  /// Computes statistics at one time: moments[block][observable], and what the states add to the counts of the
  /// histograms. See observer/statistics.hpp.
  cudaError_t (*statistics)(const Plan& plan, const StatisticsPlan& statistics, const StatesAt& at,
                            SampleMoments* moments, std::int64_t* counts, cudaStream_t stream);
};

}  // namespace polhode
