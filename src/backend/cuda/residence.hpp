// Where a GPU thread keeps its trajectory.
#pragma once

#include "polhode/scalar/config.hpp"

namespace polhode {

enum class Residence {
  registers,  ///< in registers: a kernel uses no local memory, which is checked where it is compiled (modules/)
  mixed,      ///< in registers and in local memory: a step has more values than a thread has registers
  /// In local memory, so that kernels may call functions, and are compiled in a third to a fifth of the time.
  memory,
};

inline namespace POLHODE_ISA {

/// Residence of trajectories of a system, whatever step map advances them.
template <class System>
constexpr Residence residence_of() {
  if (System::dim > 18) return Residence::memory;
  if constexpr (requires { System::spills_on_gpu; })
    return System::spills_on_gpu ? Residence::mixed : Residence::registers;
  else
    return Residence::registers;
}
/// Residence of trajectories of a system that a step map advances.
template <class Map, class System>
constexpr Residence residence_of() {
  if constexpr (requires { Map::stages_in_memory; }) return Residence::memory;
  return residence_of<System>();
}

}  // namespace POLHODE_ISA
}  // namespace polhode
