// Body of the source of a module for shadow energies (modules/module_source.cpp).
#pragma once

#include "backend/cpu/unit.hpp"
#include "modules/table.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/run/shadow_energy.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Map, class R>
void shadow_energies(const Plan& plan, int steps, const double* states, std::int64_t n, double* values) {
  using T = Lanes<Map, R>;
  const StageConstants<Map, R> constants(plan);
  const typename Map::System::template Model<T> model(plan.parameters);
  const ShadowEnergy<Map, T> energy(model, plan, constants, steps);
  for (std::int64_t first = 0; first < n; first += lanes_of<T>) {
    const LaneRange<T> lanes{first, n};
    typename Map::System::template State<T> x;
    for_columns<Map::System::dim>([&](int i) { x[i] = lanes.load(states + i * n); });
    lanes.store(values, energy(x));
  }
}

/// Kernel of the shadow energies of a step map on a system, with one of its solvers, in the precision of R, double or
/// float. solver: index into Map::StepMapsOn<System>.
template <class Map, class System, int solver, class R>
inline constexpr ShadowKernel shadow_of_module{
    shadow_energies<StepMapAt<solver, typename Map::template StepMapsOn<System>>, R>};

}  // namespace polhode::inline POLHODE_ISA
