// Limits of a CPU, which are measured; those of a GPU follow from its properties (backend/cuda/cuda_backend.hpp).
#pragma once

#include "backend/cpu/isa.hpp"

namespace polhode {

struct CpuLimits {
  double fmas_of_thread = 0;  ///< a second, counted lane by lane, one thread alone; NaN without vectors
  double fmas = 0;            ///< a second, of all threads at a time; NaN without vectors
  double copied = 0;          ///< bytes a second, each read and written once, by all threads from memory to memory
};

/// Measures the limits of the CPU: the best of a few turns, in processor time, so that other work does not count. Takes
/// half a second of each thread, and for a moment 2 GiB of memory, or a sixteenth of the machine's if that is less.
CpuLimits measure_limits(Isa isa, Precision precision, int threads);

}  // namespace polhode
