// Body of a generated CPU unit: instantiates the loop for the instruction set that the unit is compiled for.
//
// Such a unit holds no code but polhode's templates, all in the inline namespace of the instruction set; tests/unit
// checks its weak symbols.
#pragma once

#include "backend/cpu/kernels.hpp"
#include "polhode/method/variants.hpp"
#include "polhode/run/propagate.hpp"
#include "polhode/run/refine.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include "polhode/scalar/pack.hpp"
#endif

namespace polhode::inline POLHODE_ISA {

#if defined(__AVX2__) && defined(__FMA__)
/// Four registers hide the latency of a sweep on both AVX2 and AVX-512 (bench/).
template <class R>
using Lanes = Pack<R, 4>;
#else
template <class R>
using Lanes = R;
#endif

template <class Map, class R>
void propagate_range(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                     const CrossingView& crossings, double* snapshots, std::int64_t first, std::int64_t last) {
  for (; first < last; first += lanes_of<Lanes<R>>)
    propagate<Map, Lanes<R>>(plan, segment, in, out, crossings, snapshots, first);
}

template <class Map, class R>
void refine_range(const Plan& plan, const CrossingView& list, std::int64_t first, std::int64_t last) {
  for (; first < last; first += lanes_of<Lanes<R>>) refine<Map, Lanes<R>>(plan, list, last, first);
}

template <class Map, class R>
constexpr CpuKernels cpu_kernels() {
  return {lanes_of<Lanes<R>>, propagate_range<Map, R>, refine_range<Map, R>};
}

template <class... Map>
inline constexpr CpuKernels kernels_of[][2] = {{cpu_kernels<Map, double>(), cpu_kernels<Map, float>()}...};

template <class... Map>
constexpr CpuTable cpu_table(Variants<Map...>) {
  return {kernels_of<Map...>};
}

}  // namespace polhode::inline POLHODE_ISA
