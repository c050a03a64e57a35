// Body of the source of a system's module for processors (modules/module_source.cpp).
#pragma once

#include "backend/cpu/unit.hpp"
#include "modules/table.hpp"
#include "system/attitudes.hpp"
#include "system/levels.hpp"
#include "system/start_unit.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System>
inline constexpr SystemFunctions functions_of_module{cpu_observers<System>(), start_functions<System>()};

}  // namespace polhode::inline POLHODE_ISA
