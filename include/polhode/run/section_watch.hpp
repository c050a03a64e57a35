// Detects which lanes cross a section in a run of steps, and captures their crossings (observer/section.hpp).
//
// A run of several steps is examined as a whole. Crossings of a column are found in the time loop, where its value is
// at hand; those of other observables after the run, because their code would take registers from the step. Of long
// steps two crossings in one are captured, too, wherever there may be such: whether there are is found later, but at
// once where the first of them ends the trajectory.
#pragma once

#include <cstdint>

#include "polhode/method/status.hpp"
#include "polhode/observer/section_function.hpp"
#include "polhode/run/living_lanes.hpp"
#include "polhode/run/long_search.hpp"
#include "polhode/run/plan.hpp"
#include "polhode/run/refine.hpp"
#include "polhode/run/state_ring.hpp"
#include "polhode/run/step_sample.hpp"

namespace polhode::inline POLHODE_ISA {

/// Ends: as in propagate().
template <class Map, class T, class Ends>
class SectionWatch {
  using System = typename Map::System;
  using State = typename System::template State<T>;
  using Model = typename System::template Model<T>;
  using Ring = StateRing<State, System::dim, T>;
  using R = Real<T>;
  static constexpr int dim = System::dim, lanes = lanes_of<T>;

 public:
  /// first: the trajectory of the first lane. A start is not a crossing.
  POLHODE_HD SectionWatch(const Plan& plan, const CommonOf<Map, R>& common, Ends ends, const Model& model,
                          const CrossingView& list, std::int64_t first, const State& start)
      : plan_(plan),
        section_(plan.section),
        common_(common),
        ends_(ends),
        model_(model),
        list_(list),
        first_(first),
        watched_(plan.section.observable >= 0),
        of_column_(watched_ && plan.section.observable < dim),  // the columns come first
        function_(plan.section) {
    if (!watched_) return;
    side_ = side_of(section_, T(R(0)), measured(start));
    if constexpr (has_long_steps<Map>()) {
      h_ = static_cast<R>(plan.step);
      if (section_.long_steps) last_ = sample(start);
    }
  }

  /// Records which lanes cross in step k of a run, which leads to the state `after`, if the observable is a column.
  POLHODE_HD void notice(int k, const State& after) {
    if constexpr (Ring::longest_run > 1)
      if (is_noticed()) crossing_[k] = cross_to(T(function_.value()), after[section_.observable]);
  }
  /// Captures the crossings of a run of `count` steps from step n.
  POLHODE_HD void take(std::int64_t n, int count, Ring& states, LivingLanes<T>& living) {
    if (watched_) take_run(n, count, states, living);
  }

 private:
  /// Captures crossings. Outlined on the host: the time loop has the registers and the cache to itself.
  POLHODE_OUTLINED void take_run(std::int64_t n, int count, Ring& states, LivingLanes<T>& living) {
    if constexpr (has_long_steps<Map>())
      if (section_.long_steps) return take_long_run(n, count, states, living);
    if constexpr (Ring::longest_run == 1) {
      start_step(states[0]);
      const T f = measured(states[1]);
      if (const LaneBits<T> crossing = cross_to(T(R(0)), f)) take_step(crossing, f, nullptr, n, 0, states, living);
    } else {
      if (!is_noticed())
        for (int k = 0; k < count; ++k) {
          start_step(states[k]);
          crossing_[k] = cross_to(T(R(0)), measured(states[k + 1]));
        }
      std::uint64_t steps = 0;  // with crossings, found without a branch, which would be unpredictable
      for (int k = 0; k < count; ++k) steps |= std::uint64_t{crossing_[k] != 0} << k;
      for (; steps != 0; steps &= steps - 1) {
        const int k = lowest_bit(steps);
        start_step(states[k]);
        take_step(crossing_[k], measured(states[k + 1]), nullptr, n + k, k, states, living);
      }
    }
  }

  /// Sample at the end of a step, where theta = 1.
  POLHODE_HD StepSample<T> sample(const State& x) const {
    return sample_of<System>(model_, function_, T(h_), T(R(1)), x);
  }

  POLHODE_HD void take_long_run(std::int64_t n, int count, Ring& states, LivingLanes<T>& living) {
    for (int k = 0; k < count; ++k) {
      start_step(states[k]);
      const StepSample<T> after = sample(states[k + 1]), before{T(R(0)), last_.f, last_.slope};
      const T f = after.f;
      last_ = after;
      const bool was_noticed = Ring::longest_run > 1 && is_noticed();
      const LaneBits<T> crossing = was_noticed ? crossing_[k] : cross_to(T(R(0)), f);
      if (crossing) take_step(crossing, f, &after.slope, n + k, k, states, living);
      constexpr R margin = 2;  // f is not concave everywhere
      Mask<T> may = may_cross_twice(before, after, margin);
      if (ends_) may = may & living.mask();
      const auto twice = static_cast<LaneBits<T>>(mask_bits(may));
      if (!twice) continue;
      // The earlier and the later of the two, in the directions that count.
      const auto below = static_cast<LaneBits<T>>(mask_bits(f < T(R(0))));
      const LaneBits<T> from_below = twice & below, from_above = without(twice, below);
      const LaneBits<T> none = 0, on_section = static_cast<LaneBits<T>>(mask_bits(before.f == T(R(0))));
      LaneBits<T> earlier =
          without<LaneBits<T>>((section_.up ? from_below : none) | (section_.down ? from_above : none), on_section);
      LaneBits<T> later = (section_.down ? from_below : none) | (section_.up ? from_above : none);
      if (ends_) {
        later = without(later, earlier);
        const LaneBits<T> reached = find_reached(earlier, later, n + k, states[k], after);
        earlier = earlier & reached;
        later = later & reached;
      }
      capture<T, State, dim>(list_, earlier, first_, n + k, states[k], f, &after.slope);
      capture<T, State, dim>(list_, later, first_, -1 - (n + k), states[k], f, &after.slope);
      if (ends_) end(earlier | later, n + k, k, states, living);
    }
  }

  /// The lanes that reach the section in the step from `before` to the sample `after`, for the earlier or the later of
  /// two crossings: the others turn back before. They are refined here, and again where the points are.
  POLHODE_OUTLINED LaneBits<T> find_reached(LaneBits<T> earlier, LaneBits<T> later, std::int64_t n, const State& before,
                                            const StepSample<T>& after) const {
    const std::uint64_t tried = std::uint64_t{earlier} | std::uint64_t{later};
    if (tried == 0) return 0;
    std::int64_t step[lanes];
    double theta[lanes], state[lanes * dim], slope[lanes];
    for (int place = 0; place < lanes; ++place) {
      const int lane = tried >> place & 1 ? place : lowest_bit(tried);  // others wait for one that is tried
      step[place] = later >> lane & 1 ? -1 - n : n;
      theta[place] = static_cast<double>(lane_of(after.f, lane));
      slope[place] = static_cast<double>(lane_of(after.slope, lane));
      for_columns<dim>([&](int i)
                           POLHODE_LAMBDA { state[place * dim + i] = static_cast<double>(lane_of(before[i], lane)); });
    }
    const CrossingView list{lanes, nullptr, nullptr, step, theta, state, slope};
    refine<LongSearches<Map, T>>(model_, plan_, common_, list, lanes, 0);
    // Also where no valid step leads there.
    return static_cast<LaneBits<T>>(tried & mask_bits(mask_from_lanes<T>([&](int lane) POLHODE_LAMBDA {
                                      return is_finite(theta[lane]) || theta[lane] != theta[lane];
                                    })));
  }

  /// Captures the lanes that cross in step n, which is step k of the run; f is the observable after it. It is passed
  /// on, because nvcc leaves a state that is observed at two places of the code in memory.
  POLHODE_HD void take_step(LaneBits<T> crossing, const T& f, const T* slope, std::int64_t n, int k, Ring& states,
                            LivingLanes<T>& living) {
    capture<T, State, dim>(list_, crossing, first_, n, states[k], f, slope);
    if (!ends_) return;
    const LaneBits<T> round_off = are_round_off(measured(states[k]), f, accuracy_of(function_, model_, states[k]));
    end(without(crossing, round_off), n, k, states, living);
  }

  /// Ends lanes in step n, which is step k of the run. A run has one step then, and the side is that after it.
  POLHODE_HD void end(LaneBits<T> ending, std::int64_t n, int k, Ring& states, LivingLanes<T>& living) {
    if (!ending) return;
    living.end(ending, n, [](int) POLHODE_LAMBDA { return Status::event; });
    living.hold(states[k + 1], states[k]);
    side_.forget(ending);
  }

  /// Whether crossings are found in the time loop.
  POLHODE_HD bool is_noticed() const { return of_column_ && !function_.depends_on_start(); }
  /// Refers the angle's turns, f and the side before a step to that step.
  POLHODE_HD void start_step(const State& before) {
    if (!function_.depends_on_start()) return;
    function_.start_at(observed(before));
    last_.f = measured(before);
    side_ = side_of(section_, T(R(0)), last_.f);
  }
  POLHODE_HD T observed(const State& at) const {
    if constexpr (LaneRange<T>::is_pack)
      if (of_column_) return at[section_.observable];
    return model_.observe(section_.observable, at);
  }
  POLHODE_HD T measured(const State& at) const { return function_(observed(at)); }
  /// Updates the side to that of the next state and returns the lanes that cross; level and observable as in side_of.
  POLHODE_HD LaneBits<T> cross_to(const T& level, const T& observable) {
    const SectionSide<T> before = side_;
    side_ = side_of(section_, level, observable);
    return crossed(before, side_);
  }

  const Plan& plan_;
  const SectionPlan& section_;
  const CommonOf<Map, R>& common_;
  Ends ends_;
  const Model& model_;
  const CrossingView& list_;
  std::int64_t first_;
  bool watched_, of_column_;
  SectionFunction<System, T> function_;
  SectionSide<T> side_;                      ///< side of the last state examined
  LaneBits<T> crossing_[Ring::longest_run];  ///< the lanes that cross in each step of a run
  R h_ = 0;
  StepSample<T> last_;  ///< of the last state examined, if steps are long
};

}  // namespace polhode::inline POLHODE_ISA
