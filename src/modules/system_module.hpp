// Body of the source of a system's module for processors (modules/module_source.cpp).
#pragma once

#include "backend/cpu/unit.hpp"
#include "modules/table.hpp"
#include "polhode/system/observed_system.hpp"
#include "system/attitudes.hpp"
#include "system/levels.hpp"
#include "system/start_unit.hpp"

namespace polhode::inline POLHODE_ISA {

/// Functions of a system. Those of starts know no added observables.
template <class System>
inline constexpr SystemFunctions functions_of_module{cpu_observers<System>(), start_functions<System>()};
template <class System, template <class> class Added>
inline constexpr SystemFunctions functions_of_module<ObservedSystem<System, Added>>{
    cpu_observers<ObservedSystem<System, Added>>(), start_functions<System>()};

}  // namespace polhode::inline POLHODE_ISA
