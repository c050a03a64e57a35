// Kernels of a module for a CPU (modules/kernel_module.hpp) and of the units of tests, which instantiate the time loop
// for one instruction set.
//
// Each contains only polhode's templates, all in the inline namespace of the instruction set;
// scripts/check-weak-symbols checks that.
#pragma once

#include "backend/cpu/kernels.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/run/propagate.hpp"
#include "polhode/run/refine.hpp"
#include "polhode/run/statistics_of_block.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include "polhode/scalar/pack.hpp"
#endif

namespace polhode::inline POLHODE_ISA {

/// Number of vector registers in a pack. Four hide the latency of the sweeps of a top, which are one dependency chain,
/// on both AVX2 and AVX-512 (bench/); a step with matrices or constraints has independent components to interleave, and
/// with more registers a large step would only be slower to compile. The metric of a reduced system does not fit into
/// registers four times: with four, a step of the double pendulum lasts four times as long.
template <class System>
constexpr int registers_of() {
  if constexpr (System::kind == Kind::constrained)
    return System::dim <= 12 ? 2 : 1;
  else
    return System::dim <= 7 && System::kind != Kind::reduced ? 4 : 1;
}

#if defined(__AVX2__) && defined(__FMA__)
/// Number of vector registers in a pack for a step map: Map::registers, where a map has it because it holds more values
/// than its system, else registers_of() its system.
template <class Map>
constexpr int registers_with() {
  if constexpr (requires { Map::registers; })
    return Map::registers;
  else
    return registers_of<typename Map::System>();
}
template <class Map, class R>
using Lanes = Pack<R, registers_with<Map>()>;
#else
template <class Map, class R>
using Lanes = R;
#endif

template <class Map, class R>
void propagate_range(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                     const CrossingView& crossings, double* snapshots, std::int64_t first, std::int64_t last) {
  const StageConstants<Map, R> constants(plan);
  for (; first < last; first += lanes_of<Lanes<Map, R>>)
    propagate<Map, Lanes<Map, R>>(plan, constants, segment, in, out, crossings, snapshots, first,
                                  plan.section.terminal);
}

template <class Map, class R>
void refine_range(const Plan& plan, const CrossingView& list, std::int64_t first, std::int64_t last) {
  using T = Lanes<Map, R>;
  const typename Map::System::template Model<T> model(plan.parameters);
  const CommonOf<Map, R> common(typename Map::System::template Model<R>(plan.parameters),
                                options_from<OptionsOf<Map>>(plan.step_plan.options));
  with_search<Map, T>(plan.section, [&]<class Search>(std::type_identity<Search>) {
    for (; first < last; first += lanes_of<T>) refine<Search>(model, plan, common, list, last, first);
  });
}

template <class System>
void statistics_in_turn(const Plan& plan, const StatisticsPlan& statistics, const StatesAt& at, std::int64_t block,
                        SampleMoments* moments, std::int64_t* counts) {
  statistics_of_block<System>(plan, statistics, LanesInTurn(), at, block, moments, counts);
}

template <class Map, class R>
constexpr CpuKernel cpu_kernel() {
  return {lanes_of<Lanes<Map, R>>, propagate_range<Map, R>, refine_range<Map, R>};
}
template <class System>
constexpr CpuObservers cpu_observers() {
  return {select_points<System>, statistics_in_turn<System>};
}

template <class Compiled, class Map, class R>
constexpr CpuKernels cpu_kernels() {
  if constexpr (Compiled::template contain<R>)
    return {cpu_kernel<Map, R>(), cpu_observers<typename Map::System>()};
  else
    return {};
}

template <class Compiled, class... Map>
inline constexpr CpuKernels kernels_of[][2] = {
    {cpu_kernels<Compiled, Map, double>(), cpu_kernels<Compiled, Map, float>()}...};

/// Table of the kernels of a unit. Compiled: its Precisions (polhode/method/step_maps.hpp).
template <class Compiled, class... Map>
constexpr CpuTable cpu_table(StepMaps<Map...>) {
  return {kernels_of<Compiled, Map...>};
}

}  // namespace polhode::inline POLHODE_ISA
