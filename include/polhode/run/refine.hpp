// Solves for captured crossings: the fraction theta in (0, 1] of the step at which the observable meets the section's
// value, along the same step map, so that the point lies on the manifold that the map keeps.
//
// The fraction as a quadratic function of the observable through the last three points, the first two of them the ends
// of the step, kept inside a bracket: values only, and the observable is so nearly linear over a step that three or
// four steps usually reach round-off. What has not converged after some is bisected. A lane that is done keeps its
// fraction, so its bits do not depend on its neighbours. An angle that jumps from pi to -pi changes its sign without
// being zero: what is left in the end is no crossing.
#pragma once

#include "polhode/math/vec.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

inline constexpr int max_interpolations = 8;
/// Bisections after that leave nothing of a bracket.
inline constexpr int max_refinements = max_interpolations + 54;

/// Refines crossings first, ..., first + lanes - 1 of a list of `count` in place.
template <class Map, class T>
POLHODE_HD void refine(const Plan& plan, const CrossingView& list, std::int64_t count, std::int64_t first) {
  using System = typename Map::System;
  using State = typename System::template State<T>;
  using R = Real<T>;
  constexpr int dim = System::dim;
  // Lanes past the end repeat the last crossing and are not stored.
  const int filled = count - first < lanes_of<T> ? static_cast<int>(count - first) : lanes_of<T>;
  const auto place = [&](int lane) POLHODE_LAMBDA { return first + (lane < filled ? lane : filled - 1); };

  const typename System::template Model<T> model(plan.parameters);
  const T h(static_cast<R>(plan.step)), value(static_cast<R>(plan.section.value)), zero(R(0)), half(R(0.5)), one(R(1));

  const auto load = [&]() POLHODE_LAMBDA {
    R memory[dim][lanes_of<T>];
    for (int lane = 0; lane < lanes_of<T>; ++lane) {
      const double* row = list.state + place(lane) * dim;
      for_columns<dim>([&](int i) POLHODE_LAMBDA { memory[i][lane] = static_cast<R>(row[i]); });
    }
    State x;
    for_columns<dim>([&](int i) POLHODE_LAMBDA { x[i] = load_lanes<T>(memory[i]); });
    return x;
  };
  const State start = load();
  const auto observed_after = [&]() POLHODE_LAMBDA {
    return from_lanes<T>([&](int lane) POLHODE_LAMBDA { return static_cast<R>(list.theta[place(lane)]); });
  };
  const T f_high = observed_after();
  // The observable itself is not known better than this.
  const T tolerance =
      T(R(4) * std::numeric_limits<R>::epsilon()) * (abs(value) + model.magnitude(plan.section.observable, start));

  T low = zero, high = one;
  const T f_low = model.observe(plan.section.observable, start) - value;
  const Mask<T> rising = f_low < zero;
  // The last two points, the latter first, and the divided difference of their fractions.
  T last = zero, f_last = f_low, f_before = f_high, slope_last = one / (f_high - f_low);
  // The first guess is linear; the fraction is positive also where that underflows.
  const T linear = f_low / (f_low - f_high), least(std::numeric_limits<R>::min());
  T theta = select(linear > least, linear, least);
  Mask<T> done(false), blocked(false);  // blocked: the step to `high` was not valid

  /// The state and the observable a fraction of a step after the start, and where that step is valid.
  struct {
    State x;
    T f;
    Mask<T> valid;
  } to;
  // Apart on the host: what a step and this function keep would not be in the cache together.
  const auto advanced = outlined_if<true>([&](const T& fraction) POLHODE_LAMBDA {
    const typename Map::template Step<T> step(model, plan.coefficients, fraction * h, plan.sweeps);
    // Beside a step a large state has no registers left for its start: it is read again.
    constexpr bool is_large = dim > 12;
    if constexpr (is_large) to.x = load();
    to.valid = step(is_large ? to.x : start, to.x, Mask<T>(true));
    to.f = model.observe(plan.section.observable, to.x) - value;
  });

  // A lane that is done takes the same step again until all are.
  for (int k = 0;; ++k) {
    advanced(theta);
    const T f = to.f;
    const Mask<T> valid = to.valid;
    // An invalid step counts as beyond the crossing, so that the next one is shorter; what its f makes of the next
    // guesses is inside the bracket, or a bisection.
    const Mask<T> below = valid & ((rising & (f < zero)) | ((!rising) & (f > zero)));
    low = select(below, theta, low);
    high = select(below, high, theta);
    blocked = (done & blocked) | ((!done) & ((blocked & below) | (!valid)));
    done = done | (valid & ((abs(f) <= tolerance) | (high - low <= T(std::numeric_limits<R>::epsilon()))));
    if (k == max_refinements - 1 || all(done)) break;

    const T middle = half * (low + high);
    const T slope = (theta - last) / (f - f_last), bend = (slope - slope_last) / (f - f_before);
    const T interpolated = fma(f, fma(f_last, bend, -slope), theta);
    last = theta;
    f_before = f_last;
    f_last = f;
    slope_last = slope;
    const Mask<T> between = (interpolated > low) & (interpolated < high);
    theta = select(done, theta, k < max_interpolations ? select(between, interpolated, middle) : middle);
  }

  // Read again: a step leaves no register for what is wanted once.
  const T span = abs(model.observe(plan.section.observable, load()) - value) + abs(observed_after());
  for (int lane = 0; lane < filled; ++lane) {
    double* row = list.state + (first + lane) * dim;
    for_columns<dim>([&](int i) POLHODE_LAMBDA { row[i] = static_cast<double>(lane_of(to.x[i], lane)); });
  }
  // A continuous observable would be at its value to round-off, and change by more than that in a step.
  const Mask<T> jump = abs(to.f) > T(R(1e-3)) * span;
  T at = select(jump, T(std::numeric_limits<R>::infinity()), theta);
  // No valid step that goes as far as the crossing: the caller drops the point and says so.
  at = select(done & !(jump & blocked), at, T(std::numeric_limits<R>::quiet_NaN()));
  for (int lane = 0; lane < filled; ++lane) list.theta[first + lane] = static_cast<double>(lane_of(at, lane));
}

}  // namespace polhode::inline POLHODE_ISA
