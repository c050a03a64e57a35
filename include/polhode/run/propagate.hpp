// The time loop: one segment of lanes_of<T> neighbouring trajectories. The only loop over steps of the fast backends; a
// CPU core calls it with T a Pack, a GPU thread with T = double.
//
// `in` and `out` are different buffers, so that a segment whose crossings did not fit can be repeated.
#pragma once

#include <algorithm>
#include <limits>

#include "polhode/math/vec.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/run/kept_invariants.hpp"
#include "polhode/run/lane_range.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

/// The first multiple of `every` after step n, or never.
POLHODE_HD std::int64_t next_multiple(std::int64_t n, std::int64_t every) {
  return every > 0 ? (n / every + 1) * every : std::numeric_limits<std::int64_t>::max();
}

/// Steps that a pack takes before their crossings are captured: a branch on crossings in every step, which a fourth
/// of the packs of 32 take, is one that no processor predicts. As many as leave the states in the first cache.
template <class T, class State>
constexpr int longest_run() {
  return LaneRange<T>::is_pack ? std::clamp((16 << 10) / static_cast<int>(sizeof(State)), 1, 8) : 1;
}

/// Advances trajectories first, ..., first + lanes - 1 over the segment.
///
/// snapshots: [t][dim + n_kept][n], states and invariants, one entry for each step of (segment.first, segment.first +
/// count] that is divisible by plan.snapshots_every; null when there are none.
template <class Map, class T>
POLHODE_HD void propagate(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                          const CrossingView& crossings, double* snapshots, std::int64_t first) {
  using System = typename Map::System;
  using State = typename System::template State<T>;
  using R = Real<T>;
  constexpr int dim = System::dim, n_invariants = System::n_invariants;
  constexpr bool is_pack = LaneRange<T>::is_pack;

  const typename System::template Model<T> model(plan.parameters);
  const typename Map::template Step<T> step(model, plan.coefficients, T(static_cast<R>(plan.step)), plan.sweeps);
  const LaneRange<T> lanes{first, in.n};
  const std::int64_t end = segment.first + segment.count;

  // The states before and after each step of a run. Those of a pack are a ring in memory, and a run starts where the
  // last one ended; a GPU thread's are in registers as far as they fit, and are copied.
  constexpr int run_length = longest_run<T, State>();
  State states[run_length + 1];
  int start = 0;  // where a run starts in the ring
  const auto place = [&](int k) POLHODE_LAMBDA {
    const int i = start + k;
    return i <= run_length ? i : i - (run_length + 1);
  };
  const auto state = [&](int k) POLHODE_LAMBDA -> State& { return states[place(k)]; };
  for_columns<dim>([&](int i) POLHODE_LAMBDA { states[0][i] = lanes.load(in.state + i * in.n); });

  Mask<T> alive = mask_from_lanes<T>([&](int lane) POLHODE_LAMBDA {
    return first + lane < in.n && in.code[first + lane] == static_cast<std::uint8_t>(Status::ok);
  });
  bool frozen = !all(alive);  // some lane does not advance
  for (int lane = 0; lane < lanes_of<T> && first + lane < in.n; ++lane) {
    out.code[first + lane] = in.code[first + lane];
    out.steps[first + lane] = in.steps[first + lane];
  }

  /// Lanes that end after step n, each with its status.
  const auto end_lanes = [&](std::uint64_t ending, std::int64_t n, auto&& status) POLHODE_LAMBDA {
    for (std::uint64_t bits = ending; bits != 0; bits &= bits - 1) {
      const int lane = lowest_bit(bits);
      out.code[first + lane] = static_cast<std::uint8_t>(status(lane));
      out.steps[first + lane] = n;
    }
    alive = alive & mask_from_lanes<T>([&](int lane) POLHODE_LAMBDA { return (ending >> lane & 1) == 0; });
    frozen = true;
  };

  const bool with_section = plan.section.observable >= 0;
  const bool of_column = with_section && plan.section.observable < dim;  // the columns come first
  const R section_value = static_cast<R>(plan.section.value);
  const auto section = [&](const State& at) POLHODE_LAMBDA {
    if constexpr (is_pack)
      if (of_column) return at[plan.section.observable] - T(section_value);
    return model.observe(plan.section.observable, at) - T(section_value);
  };
  // The side of the state that was looked at last, and the lanes that cross in each step of a run. In runs of several
  // steps the time loop itself finds the crossings of a column, whose value it has at hand; those of other observables
  // are found after the run, because their code would take registers from the step.
  SectionSide<T> side;
  LaneBits<T> crossings_of_run[run_length];
  if (with_section) side = side_of(plan.section, T(R(0)), section(states[0]));  // a start is no crossing
  /// Moves `side` on to the next state and returns the lanes that cross on the way; level and observable as in side_of.
  const auto cross_to = [&](const T& level, const T& observable) POLHODE_LAMBDA {
    const SectionSide<T> before = side;
    side = side_of(plan.section, level, observable);
    return crossed(before, side);
  };

  // What follows is apart on the host, so that the time loop has the registers and the cache to itself.

  /// Lanes that have crossed in step n, which is step k of the run and goes to the observable f. It is handed on: nvcc
  /// keeps a state that is observed at two places of the code in memory.
  const auto take_crossings = [&](LaneBits<T> crossing, const T& f, std::int64_t n, int k) POLHODE_LAMBDA {
    const State& before = state(k);
    State& after = state(k + 1);
    capture<T, State, dim>(crossings, crossing, first, n, before, f);
    if (plan.section.terminal) {  // a run is one step then, and `side` is that of `after`
      end_lanes(crossing, n, [](int) POLHODE_LAMBDA { return Status::event; });
      after = select(alive, after, before);
      side.forget(crossing);
    }
  };
  /// Those of a run of `count` steps from step n. Of a GPU thread and of what is no pack it is one step.
  const auto take_crossings_of_run = outlined_if<true>([&](std::int64_t n, int count) POLHODE_LAMBDA {
    if constexpr (run_length == 1) {
      const T f = section(state(1));
      if (const LaneBits<T> crossing = cross_to(T(R(0)), f)) take_crossings(crossing, f, n, 0);
    } else {
      if (!of_column)
        for (int k = 0; k < count; ++k)
          crossings_of_run[k] = cross_to(T(section_value), model.observe(plan.section.observable, state(k + 1)));
      std::uint64_t steps = 0;  // with crossings; no branch, which nobody would predict
      for (int k = 0; k < count; ++k) steps |= std::uint64_t{crossings_of_run[k] != 0} << k;
      for (; steps != 0; steps &= steps - 1) {
        const int k = lowest_bit(steps);
        take_crossings(crossings_of_run[k], section(state(k + 1)), n + k, k);
      }
    }
  });

  KeptInvariants<T, n_invariants> invariants(plan, lanes, in, out);
  /// At one place in the code for all uses, because invariants are large: at the start of the run, n = 0, the values
  /// are kept, later compared with those, and at a snapshot handed out.
  const auto record = outlined_if<true>([&](std::int64_t n, bool compare, bool snapshot) POLHODE_LAMBDA {
    if (snapshot) {
      for_columns<dim>([&](int i) POLHODE_LAMBDA { lanes.store(snapshots + i * in.n, state(0)[i]); });
      snapshots += dim * in.n;
    }
    for_invariants<n_invariants>(plan, [&](int i, std::int64_t column) POLHODE_LAMBDA {
      const T value = model.invariant(i, state(0));
      if (n == 0) invariants.start(column, value, lanes, out);
      if (compare) invariants.compare(column, value, alive, frozen, lanes, out);
      if (snapshot) {
        lanes.store(snapshots, value);
        snapshots += in.n;
      }
    });
  });

  std::int64_t next_invariants = next_multiple(segment.first, plan.invariants_every);
  std::int64_t next_snapshot = next_multiple(segment.first, plan.snapshots_every);

  for (std::int64_t n = segment.first;;) {
    const bool compare = n > segment.first && (n == next_invariants || n == plan.last_step);
    const bool snapshot = n == next_snapshot;
    if (n == 0 || compare || snapshot) {
      record(n, compare, snapshot);
      if (compare) next_invariants = next_multiple(n, plan.invariants_every);
      if (snapshot) next_snapshot += plan.snapshots_every;
    }
    if (n == end) break;

    int count = 1;
    if constexpr (run_length > 1)
      if (!plan.section.terminal)
        count = static_cast<int>(std::min({n + run_length, next_invariants, next_snapshot, end}) - n);
    for (int k = 0; k < count; ++k) {
      const State& before = state(k);
      State& after = state(k + 1);
      const Mask<T> valid = step(before, after, alive);
      if (!all(valid)) {
        const Failures<T> failures = step.failures(before);
        end_lanes(mask_bits(!valid), n + k, [&](int lane) POLHODE_LAMBDA { return failures.status(lane); });
      }
      if (frozen) after = select(alive, after, before);
      if constexpr (run_length > 1)
        if (of_column) crossings_of_run[k] = cross_to(T(section_value), after[plan.section.observable]);
    }
    if (with_section) take_crossings_of_run(n, count);

    n += count;
    if constexpr (is_pack)
      start = place(count);
    else
      states[0] = states[1];
  }

  for_columns<dim>([&](int i) POLHODE_LAMBDA { lanes.store(out.state + i * in.n, state(0)[i]); });
  invariants.finish(plan, lanes, out);
  for (std::uint64_t bits = mask_bits(alive); bits != 0; bits &= bits - 1) out.steps[first + lowest_bit(bits)] = end;
}

}  // namespace polhode::inline POLHODE_ISA
