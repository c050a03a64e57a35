// Body of the source of a kernel's module for GPUs (src/modules/module_source.cpp).
#pragma once

#include "kernels/unit.cuh"
#include "modules/table.hpp"
#include "polhode/method/step_maps.hpp"

namespace polhode::inline POLHODE_ISA {

/// Kernel of a step map on a system. solver: index into StepMapsOn.
template <class Map, class System, int solver, class R>
inline constexpr CudaKernel kernel_of_module{
    launch_propagate<StepMapAt<solver, typename Map::template StepMapsOn<System>>, R>,
    launch_collect<StepMapAt<solver, typename Map::template StepMapsOn<System>>, R>};

}  // namespace polhode::inline POLHODE_ISA
