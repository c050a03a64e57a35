// The time loop: one segment of lanes_of<T> neighbouring trajectories. The only loop over steps of the fast backends; a
// CPU core calls it with T a Pack, a GPU thread with T = double.
//
// `in` and `out` are different buffers, so that a segment whose crossings did not fit can be repeated.
#pragma once

#include <algorithm>
#include <cstdint>

#include "polhode/math/vec.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/run/carried.hpp"
#include "polhode/run/lane_range.hpp"
#include "polhode/run/living_lanes.hpp"
#include "polhode/run/plan.hpp"
#include "polhode/run/recorder.hpp"
#include "polhode/run/section_watch.hpp"
#include "polhode/run/staged_step.hpp"
#include "polhode/run/state_ring.hpp"

namespace polhode::inline POLHODE_ISA {

/// Advances trajectories first, ..., first + lanes - 1 over the segment.
///
/// snapshots: [t][dim + n_kept][n], states and invariants, one entry for each step of (segment.first, segment.first +
/// count] where stores_after(plan, step); null when there are none.
/// ends: whether the section is terminal; a constant where that has a kernel of its own.
template <class Map, class T, class Ends>
POLHODE_HD void propagate(const Plan& plan, const StageConstants<Map, Real<T>>& constants, const Segment& segment,
                          const BatchView& in, const BatchView& out, const CrossingView& crossings, double* snapshots,
                          std::int64_t first, Ends ends) {
  using System = typename Map::System;
  using State = typename System::template State<T>;
  using Ring = StateRing<State, System::dim, T>;

  const typename System::template Model<T> model(plan.parameters);
  const NominalStep<Map, T> step(model, plan.step_plan, constants);
  const LaneRange<T> lanes{first, in.n};
  const std::int64_t end = segment.first + segment.count;

  Ring states(lanes, in.state);
  LivingLanes<T> living(first, in, out);
  SectionWatch<Map, T, Ends> section(plan, constants.common, ends, model, crossings, first, states[0]);
  Recorder<System, T> recorder(plan, segment, model, lanes, in, out, snapshots);

  // For small states the visit at the start is outside the loop: inside, it made a GPU thread spill registers. For
  // large ones it is inside: the code of their invariants, inlined twice, forced the state into memory.
  constexpr bool starts_apart = System::dim <= 8;
  if constexpr (starts_apart) recorder.visit(segment.first, states[0], living);
  for (std::int64_t n = segment.first;;) {
    if constexpr (!starts_apart) recorder.visit(n, states[0], living);
    if (n == end) break;

    int count = 1;  // number of steps before states are examined
    if constexpr (Ring::longest_run > 1)
      if (!ends) count = static_cast<int>(std::min({n + Ring::longest_run, recorder.next(), end}) - n);
    for (int k = 0; k < count; ++k) {
      const State& before = states[k];
      State& after = states[k + 1];
      Failures<T> failures;
      const Mask<T> valid = step(before, after, living.mask(), failures);
      if (!all(valid)) {
        blame_edge(model, before, T(static_cast<Real<T>>(plan.step)), failures);
        living.end(mask_bits(!valid), n + k, [&](int lane) POLHODE_LAMBDA { return failures.status(lane); });
      }
      if (living.frozen()) living.hold(after, before);
      section.notice(k, after);
    }
    section.take(n, count, states, living);

    n += count;
    states.start_next_run(count);
    if constexpr (starts_apart) recorder.visit(n, states[0], living);
  }

  states.store(lanes, out.state);
  recorder.finish();
  living.finish(end);
}

}  // namespace polhode::inline POLHODE_ISA
