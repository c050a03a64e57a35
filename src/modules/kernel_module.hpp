// Body of the source of a kernel's module for processors (modules/module_source.cpp).
#pragma once

#include "backend/cpu/unit.hpp"
#include "modules/table.hpp"
#include "polhode/method/variants.hpp"

namespace polhode::inline POLHODE_ISA {

/// Kernel of a step map on a system with the solver of that index in VariantsOn.
template <class Map, class System, int solver, class R>
inline constexpr CpuKernel kernel_of_module =
    cpu_kernel<VariantAt<solver, typename Map::template VariantsOn<System>>, R>();

}  // namespace polhode::inline POLHODE_ISA
