// Units of a multiprocessor for fused operations.
#pragma once

#include <limits>

#include "polhode/run/targets.hpp"

namespace polhode {

/// Fused multiply-adds of a multiprocessor in a clock cycle, by compute capability; NaN where they are not known. CUDA
/// C++ Programming Guide, table "Throughput of Native Arithmetic Instructions".
constexpr double fma_units(int major, int minor, Precision precision) {
  struct Row {
    int major, minor;
    double binary32, binary64;
  };
  constexpr Row rows[] = {{6, 0, 64, 32}, {6, 1, 128, 4}, {7, 0, 64, 32},  {7, 5, 64, 2},    {8, 0, 64, 32},
                          {8, 6, 128, 2}, {8, 9, 128, 2}, {9, 0, 128, 64}, {10, 0, 128, 64}, {12, 0, 128, 2}};
  for (const Row& row : rows)
    if (row.major == major && row.minor == minor) return precision == Precision::binary64 ? row.binary64 : row.binary32;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace polhode
