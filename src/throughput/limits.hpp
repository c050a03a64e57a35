// Limits of the hardware: measured on a CPU, and computed from its data for a GPU.
#pragma once

#include "backend/cpu/isa.hpp"

namespace polhode {

struct CpuLimits {
  double fmas_of_thread = 0;  ///< a second, counted lane by lane, one thread alone; NaN without vectors
  double fmas = 0;            ///< the same of all threads at a time
  double copied = 0;          ///< bytes a second, each read and written once, by all threads from memory to memory
};

/// Measures the limits of the CPU: the best of a few turns, in processor time, so that other work does not count. Takes
/// half a second of each thread, and for a moment up to 2 GB of memory, or a sixteenth of the machine's.
CpuLimits measure_limits(Isa isa, Precision precision, int threads);

}  // namespace polhode
