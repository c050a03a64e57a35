// Body of the source of a kernel's module for processors (modules/module_source.cpp).
#pragma once

#include "backend/cpu/unit.hpp"
#include "modules/table.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

/// Kernel of a step map on a system with one of its solvers, in the precision of R, double or float. solver: index into
/// Map::StepMapsOn<System>.
template <class Map, class System, int solver, class R>
inline constexpr CpuKernel kernel_of_module =
    cpu_kernel<StepMapAt<solver, typename Map::template StepMapsOn<System>>, R>();

}  // namespace polhode::inline POLHODE_ISA
