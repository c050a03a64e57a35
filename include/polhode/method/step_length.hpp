// Constants of a step map that has none but the length of its step.
#pragma once

#include "polhode/method/kicks.hpp"
#include "polhode/scalar/config.hpp"

namespace polhode::inline POLHODE_ISA {

/// Length h of a step, which may differ from lane to lane.
template <class T>
struct StepLength {
  T h;

  StepLength() = default;
  template <class Model, class Options>
  POLHODE_HD StepLength(const Model&, const Options&, const Kicks&, const T& h) : h(h) {}
  template <class R>
  POLHODE_HD explicit StepLength(const StepLength<R>& of) : h(T(of.h)) {}
};

}  // namespace polhode::inline POLHODE_ISA
