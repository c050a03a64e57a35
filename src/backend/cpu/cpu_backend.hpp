// Backend for CPU threads, each of which advances packs of trajectories.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "backend/cpu/isa.hpp"
#include "backend/cpu/kernels.hpp"

namespace polhode {

struct CpuOptions {
  int threads = 0;  ///< 0: one for each processor
  /// Number of crossings that there is room for, in a block of trajectories before the selection, and after it in a
  /// segment for each thread, on average. The backend raises it to least_capacity(), so that a segment of one step
  /// fits.
  std::int64_t capacity = std::int64_t{1} << 20;
};

std::unique_ptr<Backend> make_cpu_backend(const RunPlan& plan, const CpuKernels& kernels, Isa isa,
                                          const CpuOptions& options = {});

}  // namespace polhode
