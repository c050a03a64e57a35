// Refines captured crossings: solves for the fraction theta in (0, 1] of the step at which the observable has the
// section's value (run/bracket.hpp, of long steps run/long_search.hpp), along the same step map, so that the point lies
// on the manifold that the map preserves.
//
// An angle that jumps from pi to -pi changes its sign without a zero, and is not a crossing. Nor is a change of sign
// between two values that are round-off.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "polhode/observer/section.hpp"
#include "polhode/run/bracket.hpp"
#include "polhode/run/lane_range.hpp"
#include "polhode/run/long_search.hpp"
#include "polhode/run/partial_step.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

/// The brackets of the registers that a T consists of, searched one by one: those of a whole pack have four times as
/// many values as there are registers.
template <class M, class T, bool jumps = false>
class Brackets {
  using Register = typename Parts<T>::Part;
  static constexpr int width = lanes_of<Register>;

 public:
  using Map = M;
  using Number = T;
  static constexpr int most_steps = max_refinements;
  static constexpr bool holds_slopes = false;
  T theta;                ///< the next point at which to evaluate f
  LaneBits<T> round_off;  ///< lanes in which f is round-off at both ends

  POLHODE_HD Brackets(const PartialStep<Map, T>& step, const CrossingView& list, const LaneRange<T>& crossings) {
    const T f_low = step.f_at_start(), f_high = crossings.load(list.theta), tolerance = step.tolerance();
    round_off = are_round_off(f_low, f_high, tolerance);
    for (int i = 0; i < Parts<T>::count; ++i) {
      parts_[i] = {Parts<T>::get(f_low, i), Parts<T>::get(f_high, i), Parts<T>::get(tolerance, i)};
      Parts<T>::set(theta, i, parts_[i].theta);
    }
  }

  /// Takes the k-th step, which was over theta and is counted from 0, chooses the next theta and returns the lanes that
  /// are done. Registers without a lane to do are skipped.
  POLHODE_HD LaneBits<T> add(LaneBits<T> todo, const PartialStep<Map, T>& step, int k) {
    const T f = step.f();
    LaneBits<T> done = 0;
    for (int i = 0; i < Parts<T>::count; ++i) {
      const std::uint64_t todo_here = std::uint64_t{todo} >> (i * width) & ((std::uint64_t{1} << width) - 1);
      if (!todo_here) continue;
      const Register f_here = Parts<T>::get(f, i);
      const std::uint64_t done_here = mask_bits(parts_[i].add(f_here, Parts<T>::get_mask(step.valid, i)));
      done |= static_cast<LaneBits<T>>(done_here << (i * width));
      if (!without(todo_here, done_here)) continue;
      parts_[i].move_on(f_here, k);
      Parts<T>::set(theta, i, parts_[i].theta);
    }
    return done;
  }
  /// Outcome of a lane that the last add() returned.
  POLHODE_HD double outcome(int lane) const {
    return static_cast<double>(lane_of(parts_[lane / width].outcome, lane % width));
  }
  POLHODE_HD double outcome_of_round_off(int) const { return -std::numeric_limits<double>::infinity(); }

 private:
  Bracket<Register, jumps> parts_[Parts<T>::count];
};

/// Searches in long steps, which need slopes and correct the state after the last step.
template <class M, class T, bool jumps = false>
class LongSearches {
 public:
  using Map = M;
  using Number = T;
  static constexpr int most_steps = max_long_refinements;
  static constexpr bool holds_slopes = true;
  T theta;
  LaneBits<T> round_off;

  POLHODE_HD LongSearches(const PartialStep<Map, T>& step, const CrossingView& list, const LaneRange<T>& crossings)
      : LongSearches(step.sample_at_start(), {T(Real<T>(1)), crossings.load(list.theta), crossings.load(list.slope)},
                     step.tolerance(), take_later(list, crossings)) {}

  POLHODE_HD LaneBits<T> add(LaneBits<T> todo, PartialStep<Map, T>& step, int k) {
    const LaneBits<T> done =
        todo & static_cast<LaneBits<T>>(mask_bits(search_.add(step.sample_at_end(theta), step.valid)));
    if (done) step.drift(search_.beyond);
    if (without(todo, done)) search_.move_on(k + 1);
    theta = search_.theta;
    return done;
  }
  POLHODE_HD double outcome(int lane) const { return static_cast<double>(lane_of(search_.outcome, lane)); }
  /// Outcome of a lane in which f is round-off at both ends; infinite where f keeps its sign, which was only suspected.
  POLHODE_HD double outcome_of_round_off(int lane) const {
    const double infinity = std::numeric_limits<double>::infinity();
    return mask_bits(search_.is_seeking()) >> lane & 1 ? infinity : -infinity;
  }

 private:
  POLHODE_HD LongSearches(const StepSample<T>& start, const StepSample<T>& end, const T& tolerance,
                          const Mask<T>& later)
      : theta(), round_off(are_round_off(start.f, end.f, tolerance)), search_(start, end, tolerance, later) {
    theta = search_.theta;
  }
  /// The lanes that look for the later of two crossings; their steps in the list are decoded.
  static POLHODE_HD Mask<T> take_later(const CrossingView& list, const LaneRange<T>& crossings) {
    std::int64_t* const steps = list.step + crossings.first;
    const Mask<T> later =
        mask_from_lanes<T>([&](int lane) POLHODE_LAMBDA { return lane < crossings.count() && steps[lane] < 0; });
    for (int lane = 0; lane < crossings.count(); ++lane)
      if (steps[lane] < 0) steps[lane] = -1 - steps[lane];
    return later;
  }

  LongSearch<T, jumps> search_;
};

/// Calls f(std::type_identity of the search) for a section.
template <class Map, class T, class F>
auto with_search(const SectionPlan& section, const F& f) {
  constexpr bool may_jump = has_angle<typename Map::System>(Angle::wrapped);
  const auto choose = [&]<template <class, class, bool> class Search>() {
    if constexpr (may_jump)
      if (section.jumps) return f(std::type_identity<Search<Map, T, true>>());
    return f(std::type_identity<Search<Map, T, false>>());
  };
  if constexpr (has_long_steps<Map>())
    if (section.long_steps) return choose.template operator()<LongSearches>();
  return choose.template operator()<Brackets>();
}

/// Refines crossings first, ..., first + lanes - 1 of a list of `count` in place, by one of the two searches above: on
/// a GPU each in a kernel of its own, because both together would not fit into the registers. The model, with
/// plan.parameters, and what stages have in common are constructed by the caller once for many calls: their
/// construction has divisions, and a call is only a few steps.
template <class Search, class Map = typename Search::Map, class T = typename Search::Number>
POLHODE_HD void refine(const typename Map::System::template Model<T>& model, const Plan& plan,
                       const CommonOf<Map, Real<T>>& common, const CrossingView& list, std::int64_t count,
                       std::int64_t first) {
  const LaneRange<T> crossings{first, count};
  PartialStep<Map, T> step(model, plan, common, list, crossings);
  Search search(step, list, crossings);

  auto todo = static_cast<LaneBits<T>>(mask_bits(Mask<T>(true)));
  if (crossings.count() < lanes_of<T>) todo &= (LaneBits<T>{1} << crossings.count()) - 1;
  for (std::uint64_t bits = todo & search.round_off; bits != 0; bits &= bits - 1) {
    const int lane = lowest_bit(bits);
    list.theta[first + lane] = search.outcome_of_round_off(lane);
  }
  todo = without(todo, search.round_off);
  for (int k = 0; k < Search::most_steps && todo; ++k) {
    step.go(search.theta);
    LaneBits<T> done = search.add(todo, step, k);
    if (k == Search::most_steps - 1) done = todo;
    done &= todo;
    todo ^= done;
    // Stored now, because the next steps of these lanes are meaningless.
    for (std::uint64_t bits = done; bits != 0; bits &= bits - 1) {
      const int lane = lowest_bit(bits);
      list.theta[first + lane] = search.outcome(lane);
      step.keep(lane);
    }
  }
}

}  // namespace polhode::inline POLHODE_ISA
