// Solves for captured crossings: the fraction theta in (0, 1] of the step at which the observable meets the section's
// value (run/bracket.hpp), along the same step map, so that the point lies on the manifold that the map keeps.
//
// An angle that jumps from pi to -pi changes its sign without being zero, and is no crossing.
#pragma once

#include <cstdint>
#include <limits>

#include "polhode/math/vec.hpp"
#include "polhode/observer/section.hpp"
#include "polhode/run/bracket.hpp"
#include "polhode/run/lane_range.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

/// Refines crossings first, ..., first + lanes - 1 of a list of `count` in place. The model is that of
/// plan.parameters; the caller makes it, once for many calls: it has divisions, and a call is a few steps.
template <class Map, class T>
POLHODE_HD void refine(const typename Map::System::template Model<T>& model, const Plan& plan, const CrossingView& list,
                       std::int64_t count, std::int64_t first) {
  using System = typename Map::System;
  using State = typename System::template State<T>;
  using R = Real<T>;
  constexpr int dim = System::dim;
  // Beside a step a large state has no registers left for its start: that is read again for every step.
  constexpr bool is_large = dim > 12;
  const LaneRange<T> lanes{first, count};
  const int filled = lanes.count();

  const T h(static_cast<R>(plan.step)), value(static_cast<R>(plan.section.value));

  const auto load = [&]() POLHODE_LAMBDA {
    R memory[dim][lanes_of<T>];
    for (int lane = 0; lane < lanes_of<T>; ++lane) {
      const double* row = list.state + (first + (lane < filled ? lane : filled - 1)) * dim;
      for_columns<dim>([&](int i) POLHODE_LAMBDA { memory[i][lane] = static_cast<R>(row[i]); });
    }
    State x;
    for_columns<dim>([&](int i) POLHODE_LAMBDA { x[i] = load_lanes<T>(memory[i]); });
    return x;
  };
  const State start = load();

  using Register = typename Parts<T>::Part;
  constexpr int width = lanes_of<Register>;
  Bracket<Register> brackets[Parts<T>::count];
  T theta;
  {
    const T f_low = model.observe(plan.section.observable, start) - value;
    const T f_high = lanes.load(list.theta);
    // The observable itself is not known better than this.
    const T tolerance =
        T(R(4) * std::numeric_limits<R>::epsilon()) * (abs(value) + model.magnitude(plan.section.observable, start));
    for (int i = 0; i < Parts<T>::count; ++i) {
      brackets[i] = {Parts<T>::get(f_low, i), Parts<T>::get(f_high, i), Parts<T>::get(tolerance, i)};
      Parts<T>::set(theta, i, brackets[i].theta);
    }
  }

  /// The state and the observable a fraction of a step after the start, and where that step is valid.
  struct {
    State x;
    T f;
    Mask<T> valid;
  } to;
  // Apart on the host: what a step and this function keep would not be in the cache together.
  const auto advanced = outlined_if<true>([&](const T& fraction) POLHODE_LAMBDA {
    const typename Map::template Step<T> step(model, plan.coefficients, fraction * h, plan.sweeps);
    if constexpr (is_large) to.x = load();
    to.valid = step(is_large ? to.x : start, to.x, Mask<T>(true));
    to.f = model.observe(plan.section.observable, to.x) - value;
  });

  auto todo = static_cast<LaneBits<T>>(mask_bits(Mask<T>(true)));
  if (filled < lanes_of<T>) todo &= (LaneBits<T>{1} << filled) - 1;
  for (int k = 0; k < max_refinements && todo; ++k) {
    advanced(theta);
    LaneBits<T> done = 0;
    for (int i = 0; i < Parts<T>::count; ++i) {
      const std::uint64_t todo_here = std::uint64_t{todo} >> (i * width) & ((std::uint64_t{1} << width) - 1);
      if (!todo_here) continue;
      Bracket<Register>& bracket = brackets[i];
      const Register f = Parts<T>::get(to.f, i);
      const std::uint64_t done_here = mask_bits(bracket.add(f, Parts<T>::get_mask(to.valid, i)));
      done |= static_cast<LaneBits<T>>(done_here << (i * width));
      if (!without(todo_here, done_here)) continue;
      bracket.move_on(f, k);
      Parts<T>::set(theta, i, bracket.theta);
    }
    if (k == max_refinements - 1) done = todo;
    done &= todo;
    todo ^= done;
    // Now, because what these lanes do in the next step means nothing.
    for (std::uint64_t bits = done; bits != 0; bits &= bits - 1) {
      const int lane = lowest_bit(bits);
      list.theta[first + lane] = static_cast<double>(lane_of(brackets[lane / width].outcome, lane % width));
      double* const row = list.state + (first + lane) * dim;
      for_columns<dim>([&](int i) POLHODE_LAMBDA { row[i] = static_cast<double>(lane_of(to.x[i], lane)); });
    }
  }
}

}  // namespace polhode::inline POLHODE_ISA
