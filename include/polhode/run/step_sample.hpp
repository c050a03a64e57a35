// An observable along a long step: its value and its derivative by the fraction theta of the step
// (run/long_search.hpp).
#pragma once

#include <limits>

#include "polhode/observer/section_function.hpp"
#include "polhode/run/long_search.hpp"
#include "polhode/scalar/scalar.hpp"

namespace polhode::inline POLHODE_ISA {

/// Whether some methods of the map have long steps: a constant of the map.
template <class Map>
constexpr bool has_long_steps() {
  if constexpr (requires { Map::has_long_steps; }) return Map::has_long_steps;
  return false;
}

/// The sample at theta of the state x there. The slope is a central difference along the flow: the square of its step
/// is 2^-34, and as much of round-off is left (in double precision). One place of the code observes all three states,
/// because nvcc leaves a state in memory that is observed at several.
template <class System, class T>
POLHODE_HD StepSample<T> sample_of(const typename System::template Model<T>& model,
                                   const SectionFunction<System, T>& function, const T& h, const T& theta,
                                   const typename System::template State<T>& x) {
  constexpr int third = std::numeric_limits<Real<T>>::digits / 3;
  constexpr Real<T> apart = Real<T>(1) / (1 << third);
  const auto rate = (T(apart) * h) * model.flow(x);
  const T zero(Real<T>(0));
  T f = zero, difference = zero;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
  for (int k = -1; k <= 1; ++k) {
    const T side(static_cast<Real<T>>(k));
    const typename System::template State<T> beside = k == 0 ? x : fma(side, rate, x);
    const T value = function(model.observe(function.observable(), beside));
    f = k == 0 ? value : f;
    difference = fma(side, value, difference);
  }
  return {theta, f, T(Real<T>(0.5) / apart) * difference};
}

}  // namespace polhode::inline POLHODE_ISA
