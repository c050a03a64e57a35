// Backend for CPU threads, each of which advances packs of trajectories.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "backend/cpu/isa.hpp"
#include "backend/cpu/kernels.hpp"

namespace polhode {

struct CpuOptions {
  int threads = 0;  ///< 0: one for each processor
  /// Room of each thread for the crossings of one block of trajectories in a segment. The selected points of a segment
  /// may be as many times the number of threads, however they are distributed among the threads. The backend raises it
  /// to least_capacity() (observer/section.hpp), so that a segment of one step fits.
  std::int64_t capacity = std::int64_t{1} << 20;
};

std::unique_ptr<Backend> make_cpu_backend(const RunPlan& plan, const CpuKernels& kernels, Isa isa,
                                          const CpuOptions& options = {});

}  // namespace polhode
