// Body of the source of a kernel's module (modules/module_source.cpp).
#pragma once

#include <tuple>
#include <type_traits>

#include "backend/cpu/unit.hpp"
#include "modules/table.hpp"

namespace polhode::inline POLHODE_ISA {

template <int solver, class Solvers>
struct SolverAt;
template <int solver, class... Map>
struct SolverAt<solver, Variants<Map...>> : std::tuple_element<solver, std::tuple<std::type_identity<Map>...>> {};

/// Kernel of a step map on a system with the solver of that index in VariantsOn.
template <class Map, class System, int solver, class R>
inline constexpr CpuKernel kernel_of_module =
    cpu_kernel<typename SolverAt<solver, typename Map::template VariantsOn<System>>::type::type, R>();

}  // namespace polhode::inline POLHODE_ISA
