// A step of the plan: successive applications of a step map over fractions of the step (method/step_plan.hpp).
#pragma once

#include <type_traits>

#include "polhode/method/common.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/run/lane_range.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

/// Constants of the stages of the nominal step, computed on the host once for many trajectories. On a device they are
/// in constant memory.
template <class Map, class R>
struct StageConstants {
  CommonOf<Map, R> common;
  typename Map::template Constants<R> of[max_stages];  ///< by Stage::constants

  explicit StageConstants(const Plan& plan) {
    const typename Map::System::template Model<R> model(plan.parameters);
    const auto& options = options_from<OptionsOf<Map>>(plan.step_plan.options);
    common = {model, options};
    for (int i = 0; i < plan.step_plan.n_stages; ++i) {
      const Stage& stage = plan.step_plan.stages[i];
      of[stage.constants] = {model, options, plan.step_plan.kicks[stage.kicks],
                             static_cast<R>(stage.fraction) * static_cast<R>(plan.step)};
    }
  }
};

/// Successive stages, each with its own constants.
template <class Map, class T>
class StagedStep {
  using System = typename Map::System;
  using State = typename System::template State<T>;
  template <class S>
  using Constants = typename Map::template Constants<S>;

 public:
  POLHODE_HD StagedStep(const typename System::template Model<T>& model, const StepPlan& plan,
                        const CommonOf<Map, Real<T>>& common)
      : model_(model), plan_(plan), common_(common) {}

  /// Advances x to y. constants(stage): a Constants<S>, S being T or Real<T>. Returns the lanes whose step is valid and
  /// finite; y is meaningless in the others. Lanes outside `active` cost no iteration and count as valid. Calls
  /// on_failure(stage, constants, before, lanes) for each stage that fails. y may alias x only if on_failure does not
  /// read `before`, which may be overwritten by then.
  template <class S, class ConstantsOf, class OnFailure>
  POLHODE_HD Mask<T> advance(const ConstantsOf& constants, const State& x, State& y, const Mask<T>& active,
                             const OnFailure& on_failure) const {
    Mask<T> running = active;
    if constexpr (LaneRange<T>::is_pack) {
      // The states of packs are in memory: they are exchanged, not copied.
      State between;
      const State* from = &x;
      for (int i = 0; i < plan_.n_stages; ++i) {
        State* const to = (plan_.n_stages - i) % 2 == 1 ? &y : &between;
        advance_stage<S>(plan_.stages[i], constants, *from, *to, running, on_failure);
        from = to;
      }
    } else {
      State from = x;
      for (int i = 0; i < plan_.n_stages; ++i) {
        advance_stage<S>(plan_.stages[i], constants, from, y, running, on_failure);
        from = y;
      }
    }
    return running | !active;
  }

  /// Causes of an invalid stage from x.
  template <class S>
  POLHODE_OUTLINED Failures<T> failures(const Stage& stage, const Constants<S>& constants, const State& x) const {
    return step<S>(stage, constants).failures(x);
  }

 private:
  /// No lambda: nvcc makes a call of one that several kernels have, and the state would be in memory.
  template <class S, class ConstantsOf, class OnFailure>
  POLHODE_HD void advance_stage(const Stage& stage, const ConstantsOf& constants, const State& from, State& to,
                                Mask<T>& running, const OnFailure& on_failure) const {
    const Constants<S>& c = constants(stage);
    const Mask<T> valid = make<S>(stage, c, from, to, running);
    if (all(valid)) return;
    on_failure(stage, c, from, !valid);
    running = running & valid;
  }
  template <class S>
  POLHODE_HD auto step(const Stage& stage, const Constants<S>& constants) const {
    return make_step<Map, T, S, Real<T>>(model_, options_from<OptionsOf<Map>>(plan_.options), plan_.kicks[stage.kicks],
                                         common_, constants, stage.sweeps);
  }
  template <class S>
  POLHODE_OUTLINED Mask<T> make(const Stage& stage, const Constants<S>& constants, const State& x, State& y,
                                const Mask<T>& active) const {
    return step<S>(stage, constants)(x, y, active);
  }

  const typename System::template Model<T>& model_;
  const StepPlan& plan_;
  const CommonOf<Map, Real<T>>& common_;
};

/// Lanes whose state is inside the domain of the system; all if it has none.
template <class T, class Model, class State>
POLHODE_HD Mask<T> in_domain([[maybe_unused]] const Model& model, [[maybe_unused]] const State& x) {
  if constexpr (requires { model.in_domain(x); })
    return model.in_domain(x);
  else
    return Mask<T>(true);
}

/// Counts a step h from x that fails next to the edge of a chart, where its coordinates end, as one that leaves the
/// domain.
template <class T, class Model, class State>
POLHODE_HD void blame_edge([[maybe_unused]] const Model& model, [[maybe_unused]] const State& x,
                           [[maybe_unused]] const T& h, [[maybe_unused]] Failures<T>& failures) {
  if constexpr (requires { model.is_at_edge(x, h); })
    failures.left_domain = failures.left_domain | model.is_at_edge(x, h);
}

/// The step of the time loop.
template <class Map, class T>
class NominalStep {
  using System = typename Map::System;
  using State = typename System::template State<T>;
  using Model = typename System::template Model<T>;
  using S = typename Map::template NominalScalar<T>;
  using Constants = typename Map::template Constants<S>;
  /// A reference if the host's constants have this scalar already.
  using Held = std::conditional_t<std::is_same_v<S, Real<T>>, const Constants&, const Constants>;

 public:
  POLHODE_HD NominalStep(const Model& model, const StepPlan& plan, const StageConstants<Map, Real<T>>& constants)
      : model_(model), plan_(plan), constants_(constants), first_(constants.of[0]) {}

  /// Advances x to y. Returns the lanes whose step is valid and finite; y is meaningless in the others, and the causes
  /// are added to `failed`. Lanes outside `active` cost no iteration and count as valid.
  POLHODE_HD Mask<T> operator()(const State& x, State& y, const Mask<T>& active, Failures<T>& failed) const {
    const Mask<T> valid = advance(x, y, active, failed);
    if constexpr (requires { model_.in_domain(y); }) {
      const Mask<T> inside = model_.in_domain(y) | !active;
      failed.left_domain = valid & !inside;
      return valid & inside;
    }
    return valid;
  }

 private:
  POLHODE_HD Mask<T> advance(const State& x, State& y, const Mask<T>& active, Failures<T>& failed) const {
    // A step of one stage is inlined into the time loop, where a run spends most of its time.
    if constexpr (LaneRange<T>::is_pack)
      if (plan_.n_stages == 1) {
        const auto step = make_step<Map, T, S, Real<T>>(model_, options_from<OptionsOf<Map>>(plan_.options),
                                                        plan_.kicks[plan_.stages[0].kicks], constants_.common, first_,
                                                        plan_.stages[0].sweeps);
        const Mask<T> valid = step(x, y, active);
        if (!all(valid)) failed.add(step.failures(x), !valid);
        return valid;
      }
    const StagedStep<Map, T> staged(model_, plan_, constants_.common);
    return staged.template advance<S>(
        [this](const Stage& stage) POLHODE_LAMBDA -> Held { return Held(constants_.of[stage.constants]); }, x, y,
        active,
        [&](const Stage& stage, const Constants& constants, const State& before, const Mask<T>& lanes)
            POLHODE_LAMBDA { failed.add(staged.template failures<S>(stage, constants, before), lanes); });
  }

  const Model& model_;
  const StepPlan& plan_;
  const StageConstants<Map, Real<T>>& constants_;
  Held first_;
};

}  // namespace polhode::inline POLHODE_ISA
