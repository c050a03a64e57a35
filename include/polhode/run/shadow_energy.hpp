// Shadow energy: the modified Hamiltonian H~ that a symplectic method conserves nearly exactly, from some steps of the
// method itself (Skeel & Hardy 2001; Engle, Skeel & Drees 2005). Between the states i > j of a trajectory, with the sum
// A of the discrete actions between them (method/discrete_action.hpp),
//
//   F(i, j) = [1/2 (p_i + p_j).(q_i - q_j) - A] / ((i - j) h) = H~ + O(h^2)      in the middle of i and j
//   H~_2k   = sum over 0 <= j < i <= k of W_ij F(i, j),    W_ij = (-1)^(i-j+1) 2 C(k,i) C(k,j) / C(2k,k)
//
// of order 2 k in the middle of the k + 1 states. Its changes along a trajectory are O(h^2k), those of H are of the
// order of the method; neither drifts. A drift of both is the method's, which is not symplectic, or the program's.
#pragma once

#include <limits>
#include <utility>

#include "polhode/method/common.hpp"
#include "polhode/method/discrete_action.hpp"
#include "polhode/run/plan.hpp"
#include "polhode/run/staged_step.hpp"

namespace polhode::inline POLHODE_ISA {

/// Largest number of steps: of order 8.
inline constexpr int max_shadow_steps = 4;

template <class Map, class T>
class ShadowEnergy {
  using System = typename Map::System;
  using State = typename System::template State<T>;
  using Model = typename System::template Model<T>;
  using S = typename Map::template NominalScalar<T>;
  using Constants = typename Map::template Constants<S>;

 public:
  /// All must outlive it. steps: k, from 1 to max_shadow_steps.
  POLHODE_HD ShadowEnergy(const Model& model, const Plan& plan, const StageConstants<Map, Real<T>>& constants,
                          int steps)
      : model_(model), plan_(plan), constants_(constants), steps_(steps) {}

  /// Shadow energy from x on, half of the steps later; NaN in lanes in which a step is not valid.
  POLHODE_OUTLINED T operator()(const State& x) const {
    State states[max_shadow_steps + 1];
    Action actions[max_shadow_steps];
    Mask<T> valid(true);
    states[0] = x;
    for (int i = 0; i < steps_; ++i) {
      actions[i] = take_step(states[i], states[i + 1], valid);
      valid = valid & in_domain<T>(model_, states[i + 1]);
    }
    T sum(Real<T>(0));
    for (int j = 0; j < steps_; ++j) {
      Action between = actions[j];
      for (int i = j + 1; i <= steps_; ++i) {
        if (i > j + 1) between = between.then(actions[i - 1]);
        const T work = chord<System, T>(model_, states[j], states[i], between) - between.action;
        sum = fma(T(static_cast<Real<T>>(weight(i, j) / (i - j))), work, sum);
      }
    }
    return select(valid, sum / T(static_cast<Real<T>>(plan_.step)), T(std::numeric_limits<Real<T>>::quiet_NaN()));
  }

 private:
  using Step = decltype(make_step<Map, T, S, Real<T>>(
      std::declval<const Model&>(), std::declval<const OptionsOf<Map>&>(), std::declval<const Kicks&>(),
      std::declval<const CommonOf<Map, Real<T>>&>(), std::declval<const Constants&>(), 0));
  using Action = decltype(std::declval<const Step&>().action(std::declval<const StepContext<System, T>&>(),
                                                             std::declval<const State&>(), std::declval<const State&>(),
                                                             std::declval<const Mask<T>&>()));

  /// Takes a step from x to y, and ands its lanes that are valid to `valid`.
  POLHODE_HD Action take_step(State x, State& y, Mask<T>& valid) const {
    Action sum;
    for (int i = 0; i < plan_.step_plan.n_stages; ++i) {
      const Stage& stage = plan_.step_plan.stages[i];
      const Kicks& kicks = plan_.step_plan.kicks[stage.kicks];
      const Constants constants(constants_.of[stage.constants]);
      const Step step = make_step<Map, T, S, Real<T>>(model_, options_from<OptionsOf<Map>>(plan_.step_plan.options),
                                                      kicks, constants_.common, constants, stage.sweeps);
      const T h = T(static_cast<Real<T>>(stage.fraction) * static_cast<Real<T>>(plan_.step));
      valid = step(x, y, valid) & valid;
      const Action action = step.action({model_, kicks, h}, x, y, valid);
      sum = i == 0 ? action : sum.then(action);
      x = y;
    }
    return sum;
  }

  /// W_ij.
  POLHODE_HD double weight(int i, int j) const {
    const double both = 2.0 * binomial(steps_, i) * binomial(steps_, j) / binomial(2 * steps_, steps_);
    return (i - j) % 2 == 1 ? both : -both;
  }
  POLHODE_HD static double binomial(int n, int k) {
    double value = 1;
    for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
    return value;
  }

  const Model& model_;
  const Plan& plan_;
  const StageConstants<Map, Real<T>>& constants_;
  int steps_;
};

}  // namespace polhode::inline POLHODE_ISA
