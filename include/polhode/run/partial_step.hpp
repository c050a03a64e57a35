// Steps of a fraction of h, from the states before neighbouring crossings of a list.
#pragma once

#include <cstdint>
#include <limits>

#include "polhode/observer/section_function.hpp"
#include "polhode/run/lane_range.hpp"
#include "polhode/run/plan.hpp"
#include "polhode/run/staged_step.hpp"
#include "polhode/run/step_sample.hpp"

namespace polhode::inline POLHODE_ISA {

template <class Map, class T>
class PartialStep {
  using System = typename Map::System;
  using State = typename System::template State<T>;
  using Model = typename System::template Model<T>;
  using R = Real<T>;
  static constexpr int dim = System::dim;
  // A large state and its step leave no registers for the initial state, which is loaded again for every step.
  static constexpr bool is_large = dim > 12;

 public:
  State x;        ///< after the last step
  Mask<T> valid;  ///< lanes in which that step is valid

  POLHODE_HD PartialStep(const Model& model, const Plan& plan, const CommonOf<Map, R>& common, const CrossingView& list,
                         const LaneRange<T>& crossings)
      : model_(model),
        plan_(plan),
        common_(common),
        states_(list.state + crossings.first * dim),
        filled_(crossings.count()),
        h_(static_cast<R>(plan.step)),
        function_(plan.section),
        start_(load()) {
    if (function_.depends_on_start()) function_.start_at(model.observe(plan.section.observable, start_));
  }

  /// The observable minus the section's value, at the start and at x.
  POLHODE_HD T f_at_start() const { return measured(start_); }
  POLHODE_HD T f() const { return measured(x); }
  /// The observable minus the section's value, with its slope, at the start and at x: of a long step.
  POLHODE_HD StepSample<T> sample_at_start() const { return sample(T(R(0)), start_); }
  POLHODE_HD StepSample<T> sample_at_end(const T& theta) const { return sample(theta, x); }
  /// Moves x along the flow, by a fraction of h whose square is round-off.
  POLHODE_HD void drift(const T& fraction) { x = fma(fraction * h_, model_.flow(x), x); }
  /// Accuracy of the observable itself.
  POLHODE_HD T tolerance() const { return accuracy_of(function_, model_, start_); }

  /// Takes a step over a fraction of h; one that moves less than round-off leads to where it starts, because a
  /// projection would divide round-off by its length. Outlined on the host: the working sets of the step and of the
  /// search for its length would not fit into the cache together.
  POLHODE_OUTLINED void go(const T& fraction) {
    const T h = fraction * h_;
    const auto& options = options_from<OptionsOf<Map>>(plan_.step_plan.options);
    const auto constants = [&](const Stage& stage) POLHODE_LAMBDA {
      return typename Map::template Constants<T>(model_, options, plan_.step_plan.kicks[stage.kicks],
                                                 T(static_cast<R>(stage.fraction)) * h);
    };
    if constexpr (is_large) x = load();
    const StagedStep<Map, T> step(model_, plan_.step_plan, common_);
    valid = step.template advance<T>(constants, is_large ? x : start_, x, Mask<T>(true),
                                     [](const auto&...) POLHODE_LAMBDA {});
    valid = valid & in_domain<T>(model_, x);
    if (const Mask<T> moves = abs(fraction) >= T(std::numeric_limits<R>::epsilon()); !all(moves)) stay(moves);
  }
  /// Replaces the state before the crossing, in the list, by the state of a lane.
  POLHODE_HD void keep(int lane) const {
    for_columns<dim>([&](int i) POLHODE_LAMBDA { states_[lane * dim + i] = static_cast<double>(lane_of(x[i], lane)); });
  }

 private:
  /// Takes the lanes that do not move back to the start.
  POLHODE_HD void stay(const Mask<T>& moves) {
    const State start = load();
    for_columns<dim>([&](int i) POLHODE_LAMBDA { x[i] = select(moves, x[i], start[i]); });
    valid = valid | !moves;
  }
  POLHODE_HD StepSample<T> sample(const T& theta, const State& at) const {
    return sample_of<System>(model_, function_, h_, theta, at);
  }
  POLHODE_HD T measured(const State& at) const { return function_(model_.observe(plan_.section.observable, at)); }
  POLHODE_HD State load() const {
    R memory[dim][lanes_of<T>];
    for (int lane = 0; lane < lanes_of<T>; ++lane) {
      const double* row = states_ + (lane < filled_ ? lane : filled_ - 1) * dim;
      for_columns<dim>([&](int i) POLHODE_LAMBDA { memory[i][lane] = static_cast<R>(row[i]); });
    }
    State loaded;
    for_columns<dim>([&](int i) POLHODE_LAMBDA { loaded[i] = load_lanes<T>(memory[i]); });
    return loaded;
  }

  const Model& model_;
  const Plan& plan_;
  const CommonOf<Map, R>& common_;
  double* states_;  ///< [filled][dim]
  int filled_;
  T h_;
  SectionFunction<System, T> function_;
  State start_;
};

}  // namespace polhode::inline POLHODE_ISA
