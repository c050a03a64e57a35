// Limits of a CPU, which are measured; those of a GPU follow from its properties (backend/cuda/cuda_backend.hpp).
#pragma once

#include "backend/cpu/isa.hpp"

namespace polhode {

struct CpuLimits {
  double fmas_of_thread = 0;  ///< fmas a second of one thread alone, counted lane by lane; NaN for Isa::scalar
  double fmas = 0;            ///< fmas a second of all threads together, counted lane by lane; NaN for Isa::scalar
  double copied = 0;          ///< bytes a second that all threads together read and write once, from memory to memory
};

/// Measures the limits of the CPU: the best of a few turns, in processor time, so that other work does not count. Takes
/// half a second, and for a moment up to 2 GiB of memory, or a sixteenth of the machine's if that is less.
CpuLimits measure_limits(Isa isa, Precision precision, int threads);

}  // namespace polhode
