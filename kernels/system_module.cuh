// Body of the source of a system's module for GPUs (src/modules/module_source.cpp).
#pragma once

#include "kernels/unit.cuh"
#include "modules/table.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System>
inline constexpr CudaObservers functions_of_module{launch_statistics<System>};

}  // namespace polhode::inline POLHODE_ISA
