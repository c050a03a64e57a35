// The benchmarks of the CUDA backend. Where no device is usable there are none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/cpu/kernels.hpp"

namespace polhode::bench {

inline constexpr const char* points_per_s = "points/s";  ///< section points found, refined, ordered and copied out

/// One measurement of the CUDA backend, by the clock on the wall.
struct CudaMeasurement {
  int solver;
  Precision precision;
  std::int64_t trajectories;
  bool section = false;

  std::string name() const;
};

std::string cuda_peak_name(Precision precision);

/// Name and architecture of the GPU, where there is one.
std::string cuda_device();
std::vector<CudaMeasurement> all_cuda_measurements();

void register_cuda_benchmarks();

}  // namespace polhode::bench
