// Solves for captured crossings: the fraction theta in (0, 1] of the step at which the observable meets the section's
// value, along the same step map, so that the point lies on the manifold that the map keeps.
//
// A secant through the last two points, kept inside a bracket: values only, and the observable is so nearly linear over
// a step that four steps usually reach round-off. What has not converged after some is bisected. Each lane stops by
// itself, so its bits do not depend on its neighbours. An angle that jumps from pi to -pi changes its sign without
// being zero: what is left in the end is no crossing.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

inline constexpr int max_secants = 8;
/// Bisections after that leave nothing of a bracket.
inline constexpr int max_refinements = max_secants + 54;

/// Refines crossings first, ..., first + lanes - 1 of a list of `count` in place.
template <class Map, class T>
POLHODE_HD void refine(const Plan& plan, const CrossingView& list, std::int64_t count, std::int64_t first) {
  using System = typename Map::System;
  using State = typename System::template State<T>;
  using R = Real<T>;
  constexpr int dim = System::dim;
  const auto place = [&](int lane) POLHODE_LAMBDA { return first + lane < count ? first + lane : count - 1; };

  const typename System::template Model<T> model(plan.parameters);
  const T h(static_cast<R>(plan.step)), value(static_cast<R>(plan.section.value)), zero(R(0)), half(R(0.5)), one(R(1));

  const auto load = [&]() POLHODE_LAMBDA {
    State x;
    for_columns<dim>([&](int i) POLHODE_LAMBDA {
      x[i] = from_lanes<T>([&](int lane) POLHODE_LAMBDA { return static_cast<R>(list.state[place(lane) * dim + i]); });
    });
    return x;
  };
  // Beside a step a large state has no registers left for its start and the last point: one is read again, the other
  // computed again in the end.
  constexpr bool is_large = dim > 12;
  const State start = load();
  const T f_high = from_lanes<T>([&](int lane) POLHODE_LAMBDA { return static_cast<R>(list.theta[place(lane)]); });
  // The observable itself is not known better than this.
  const T tolerance =
      T(R(4) * std::numeric_limits<R>::epsilon()) * (abs(value) + model.magnitude(plan.section.observable, start));

  T low = zero, high = one;
  T last = zero, f_last = model.observe(plan.section.observable, start) - value;
  const T span = abs(f_last) + abs(f_high);
  const Mask<T> rising = f_last < zero;
  // The first guess is linear; the fraction is positive also where that underflows.
  const T linear = f_last / (f_last - f_high), least(std::numeric_limits<R>::min());
  T theta = select(linear > least, linear, least);
  Mask<T> done(false);
  State point = start;
  T at = theta, reached = f_last;

  for (int k = 0;; ++k) {
    const bool at_end = k == max_refinements || all(done);
    if (at_end && !is_large) break;
    State y = is_large ? load() : start;
    const typename Map::template Step<T> step(model, plan.coefficients, (at_end ? at : theta) * h, plan.sweeps);
    const Mask<T> valid = step(y, y, at_end ? done : !done);
    if (at_end) {
      point = y;
      break;
    }
    const T f = model.observe(plan.section.observable, y) - value;
    const Mask<T> usable = valid & (!done);
    if constexpr (!is_large) point = select(usable, y, point);
    at = select(usable, theta, at);
    reached = select(usable, f, reached);

    // An invalid step counts as beyond the crossing, so that the next one is shorter.
    const Mask<T> below = valid & ((rising & (f < zero)) | ((!rising) & (f > zero)));
    low = select(below, theta, low);
    high = select(below, high, theta);
    done = done | (valid & ((abs(f) <= tolerance) | (high - low <= T(std::numeric_limits<R>::epsilon()))));

    const T middle = half * (low + high);
    const T secant = theta - f * (theta - last) / (f - f_last);
    last = theta;
    f_last = f;
    theta = k < max_secants ? select((secant > low) & (secant < high), secant, middle) : middle;
  }

  const auto inside = [&](int lane) POLHODE_LAMBDA { return first + lane < count; };
  for_columns<dim>([&](int i) POLHODE_LAMBDA {
    for_lanes(point[i], [&](int lane, R x) POLHODE_LAMBDA {
      if (inside(lane)) list.state[(first + lane) * dim + i] = static_cast<double>(x);
    });
  });
  // A continuous observable would be at its value to round-off, and change by more than that in a step.
  const Mask<T> jump = abs(reached) > T(R(1e-3)) * span;
  at = select(jump, T(std::numeric_limits<R>::infinity()), at);
  // No valid step at all on the way to the crossing: the caller drops the point and says so.
  at = select(done, at, T(std::numeric_limits<R>::quiet_NaN()));
  for_lanes(at, [&](int lane, R t) POLHODE_LAMBDA {
    if (inside(lane)) list.theta[first + lane] = static_cast<double>(t);
  });
}

}  // namespace polhode::inline POLHODE_ISA
