// Exports of a CPU unit: plain function pointers, so that no code for an instruction set leaks out of its unit.
#pragma once

#include <cstdint>

#include "polhode/observer/statistics.hpp"
#include "polhode/run/carried.hpp"
#include "polhode/run/select_points.hpp"
#include "polhode/run/targets.hpp"

namespace polhode {

/// Time loop, and refinement of crossings, with one solver of a step map on a system, in one precision.
struct CpuKernel {
  int lanes;  ///< number of trajectories that advance together
  /// Advances trajectories first, ..., last - 1; first must be a multiple of lanes. See run/propagate.hpp.
  void (*propagate)(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                    const CrossingView& crossings, double* snapshots, std::int64_t first, std::int64_t last);
  /// Refines crossings first, ..., last - 1 of the list. See run/refine.hpp.
  void (*refine)(const Plan& plan, const CrossingView& list, std::int64_t first, std::int64_t last);
};

/// Shadow energies by one solver of a step map on a system, in one precision.
struct ShadowKernel {
  /// Computes values[n], the shadow energies of states [dim][n], from `steps` more steps of each state; NaN where one
  /// of these steps is not valid. See run/shadow_energy.hpp.
  void (*energies)(const Plan& plan, int steps, const double* states, std::int64_t n, double* values);
};

/// Functions of a system on states and section points, the same for all step maps.
struct CpuObservers {
  /// Selects section points from the first `count` crossings of the list, which have been refined. See
  /// run/select_points.hpp.
  void (*select_points)(const Plan& plan, const PointSelection& selection, const CrossingView& list, std::int64_t count,
                        SelectedPoints& selected);
  /// Takes the statistics of a block of trajectories: moments[observable], and counts, to which those of the block are
  /// added. See observer/statistics.hpp.
  void (*statistics)(const Plan& plan, const StatisticsPlan& statistics, const StatesAt& at, std::int64_t block,
                     SampleMoments* moments, std::int64_t* counts);
};

/// Functions of a run: the kernel, and the observers of its system.
struct CpuKernels : CpuKernel, CpuObservers {};

/// Kernels of a step map on a system for one instruction set, for tests, which load no modules; empty for a precision
/// that the unit does not have.
struct CpuTable {
  const CpuKernels (*kernels)[2];  ///< [solver][precision]
};

}  // namespace polhode
