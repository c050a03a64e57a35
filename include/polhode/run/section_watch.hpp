// Detects which lanes cross a section in a run of steps, and captures their crossings (observer/section.hpp).
//
// A run of several steps is examined as a whole. Crossings of a column are found in the time loop, where its value is
// at hand; those of other observables after the run, because their code would take registers from the step.
#pragma once

#include <cstdint>

#include "polhode/method/status.hpp"
#include "polhode/observer/section.hpp"
#include "polhode/run/living_lanes.hpp"
#include "polhode/run/plan.hpp"
#include "polhode/run/state_ring.hpp"

namespace polhode::inline POLHODE_ISA {

template <class System, class T>
class SectionWatch {
  using State = typename System::template State<T>;
  using Model = typename System::template Model<T>;
  using Ring = StateRing<State, System::dim, T>;
  using R = Real<T>;
  static constexpr int dim = System::dim;

 public:
  /// first: the trajectory of the first lane. A start is not a crossing.
  POLHODE_HD SectionWatch(const Plan& plan, const Model& model, const CrossingView& list, std::int64_t first,
                          const State& start)
      : section_(plan.section),
        model_(model),
        list_(list),
        first_(first),
        watched_(plan.section.observable >= 0),
        of_column_(watched_ && plan.section.observable < dim),  // the columns come first
        value_(static_cast<R>(plan.section.value)) {
    if (watched_) side_ = side_of(section_, T(R(0)), measured(start));
  }

  /// Records which lanes cross in step k of a run, which leads to the state `after`, if the observable is a column.
  POLHODE_HD void notice(int k, const State& after) {
    if constexpr (Ring::longest_run > 1)
      if (of_column_) crossing_[k] = cross_to(T(value_), after[section_.observable]);
  }
  /// Captures the crossings of a run of `count` steps from step n.
  POLHODE_HD void take(std::int64_t n, int count, Ring& states, LivingLanes<T>& living) {
    if (watched_) take_run(n, count, states, living);
  }

 private:
  /// Outlined on the host, so that the time loop has the registers and the cache to itself.
  POLHODE_OUTLINED void take_run(std::int64_t n, int count, Ring& states, LivingLanes<T>& living) {
    if constexpr (Ring::longest_run == 1) {
      const T f = measured(states[1]);
      if (const LaneBits<T> crossing = cross_to(T(R(0)), f)) take_step(crossing, f, n, 0, states, living);
    } else {
      if (!of_column_)
        for (int k = 0; k < count; ++k)
          crossing_[k] = cross_to(T(value_), model_.observe(section_.observable, states[k + 1]));
      std::uint64_t steps = 0;  // with crossings, found without a branch, which would be unpredictable
      for (int k = 0; k < count; ++k) steps |= std::uint64_t{crossing_[k] != 0} << k;
      for (; steps != 0; steps &= steps - 1) {
        const int k = lowest_bit(steps);
        take_step(crossing_[k], measured(states[k + 1]), n + k, k, states, living);
      }
    }
  }

  /// Captures the lanes that cross in step n, which is step k of the run; f is the observable after it. It is passed
  /// on, because nvcc leaves a state that is observed at two places of the code in memory.
  POLHODE_HD void take_step(LaneBits<T> crossing, const T& f, std::int64_t n, int k, Ring& states,
                            LivingLanes<T>& living) {
    const State& before = states[k];
    State& after = states[k + 1];
    capture<T, State, dim>(list_, crossing, first_, n, before, f);
    if (section_.terminal) {  // a run has one step then, and the side is that of `after`
      living.end(crossing, n, [](int) POLHODE_LAMBDA { return Status::event; });
      living.hold(after, before);
      side_.forget(crossing);
    }
  }

  /// The observable minus the section's value.
  POLHODE_HD T measured(const State& at) const {
    if constexpr (LaneRange<T>::is_pack)
      if (of_column_) return at[section_.observable] - T(value_);
    return model_.observe(section_.observable, at) - T(value_);
  }
  /// Updates the side to that of the next state and returns the lanes that cross; level and observable as in side_of.
  POLHODE_HD LaneBits<T> cross_to(const T& level, const T& observable) {
    const SectionSide<T> before = side_;
    side_ = side_of(section_, level, observable);
    return crossed(before, side_);
  }

  const SectionPlan& section_;
  const Model& model_;
  const CrossingView& list_;
  std::int64_t first_;
  bool watched_, of_column_;
  R value_;
  SectionSide<T> side_;                      ///< side of the last state examined
  LaneBits<T> crossing_[Ring::longest_run];  ///< the lanes that cross in each step of a run
};

}  // namespace polhode::inline POLHODE_ISA
