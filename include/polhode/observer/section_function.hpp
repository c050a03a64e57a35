// The function f that changes its sign where a section is crossed: an observable, measured from the section's value.
//
// An angle that counts turns has its section at value + 2 pi n, for all n. Along a step it is measured from the one
// that is nearest where the step starts, so that f is continuous. Steps that turn it by half a turn or more may miss
// others.
#pragma once

#include <type_traits>

#include "polhode/observer/section.hpp"
#include "polhode/scalar/elementary/turns.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

/// Whether a system has an angle without bound. Those without have no code for it.
template <class System>
constexpr bool counts_turns() {
  if constexpr (requires { System::observables; })
    for (const Quantity& quantity : System::observables)
      if (quantity.angle == Angle::unbounded) return true;
  return false;
}

template <class System, class T>
class SectionFunction {
  using R = Real<T>;
  struct None {};

 public:
  POLHODE_HD explicit SectionFunction(const SectionPlan& section)
      : section_(section), value_(static_cast<R>(section.value)) {}

  POLHODE_HD int observable() const { return section_.observable; }
  POLHODE_HD R value() const { return value_; }

  /// Whether f depends on where a step starts.
  POLHODE_HD bool depends_on_start() const {
    if constexpr (counts_turns<System>()) return section_.modulo_turns;
    return false;
  }
  /// For the step that starts where the observable has this value.
  POLHODE_HD void start_at([[maybe_unused]] const T& observable) {
    if constexpr (counts_turns<System>()) turns_ = nearest_turns(observable - T(value_));
  }

  POLHODE_HD T operator()(const T& observable) const {
    const T f = observable - T(value_);
    if constexpr (counts_turns<System>())
      if (section_.modulo_turns) return without_turns(f, turns_);
    return f;
  }

 private:
  const SectionPlan& section_;
  R value_;
  std::conditional_t<counts_turns<System>(), T, None> turns_{};
};

}  // namespace polhode::inline POLHODE_ISA
