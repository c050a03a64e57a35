// The function f that changes its sign where a section is crossed: an observable, measured from the section's value.
//
// An angle that counts turns has its section at value + 2 pi n, for all n. Along a step it is measured from the one
// that is nearest where the step starts, so that f is continuous. Steps that turn it by half a turn or more may miss
// others.
#pragma once

#include <limits>
#include <type_traits>

#include "polhode/observer/section.hpp"
#include "polhode/scalar/elementary/turns.hpp"
#include "polhode/system/description.hpp"

namespace polhode::inline POLHODE_ISA {

/// Whether a system has an observable that is an angle of this kind. Those without have no code for it.
template <class System>
constexpr bool has_angle(Angle kind) {
  if constexpr (requires { System::observables; })
    for (const Quantity& quantity : System::observables)
      if (quantity.angle == kind) return true;
  return false;
}
template <class System>
constexpr bool counts_turns() {
  return has_angle<System>(Angle::unbounded);
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
  /// Starts the step at whose beginning the observable has this value.
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

/// Accuracy of f at a state: round-off of the observable and of the section's value.
template <class System, class T>
POLHODE_HD T accuracy_of(const SectionFunction<System, T>& function, const typename System::template Model<T>& model,
                         const typename System::template State<T>& x) {
  return T(Real<T>(4) * std::numeric_limits<Real<T>>::epsilon()) *
         (abs(T(function.value())) + model.magnitude(function.observable(), x));
}
/// Lanes in which f is no more than its accuracy at both ends of a step, which is no crossing then.
template <class T>
POLHODE_HD LaneBits<T> are_round_off(const T& f_start, const T& f_end, const T& accuracy) {
  return static_cast<LaneBits<T>>(mask_bits((abs(f_start) <= accuracy) & (abs(f_end) <= accuracy)));
}

}  // namespace polhode::inline POLHODE_ISA
