// Exports of a CPU unit: plain function pointers, so that no code for an instruction set leaks out of its unit.
#pragma once

#include <cstdint>

#include "polhode/run/carried.hpp"
#include "polhode/run/select_points.hpp"
#include "polhode/run/units.hpp"

namespace polhode {

/// Kernels of one precision; all null where it was not compiled.
struct CpuKernels {
  int lanes;  ///< trajectories that advance together
  /// Advances trajectories first, ..., last - 1; first must be a multiple of lanes. See run/propagate.hpp.
  void (*propagate)(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                    const CrossingView& crossings, double* snapshots, std::int64_t first, std::int64_t last);
  /// Refines crossings first, ..., last - 1 of the list. See run/refine.hpp.
  void (*refine)(const Plan& plan, const CrossingView& list, std::int64_t first, std::int64_t last);
  /// Selects from refined crossings. See run/select_points.hpp.
  void (*select_points)(const Plan& plan, const CrossingView& list, std::int64_t count, SelectedPoints& selected);
  /// Statistics of a block of trajectories. See observer/statistics.hpp.
  void (*statistics)(const Plan& plan, const StatesAt& at, std::int64_t block, SampleMoments* moments,
                     std::int64_t* counts);
};

/// One method on one system for one instruction set.
struct CpuTable {
  const CpuKernels (*kernels)[2];  ///< [solver][precision]
};

}  // namespace polhode
