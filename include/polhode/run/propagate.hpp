// The time loop: one segment of lanes_of<T> neighbouring trajectories. The only loop over steps of the fast backends; a
// CPU core calls it with T a Pack, a GPU thread with T = double.
//
// `in` and `out` are different buffers, so that a segment whose crossings did not fit can be repeated.
#pragma once

#include <type_traits>
#include <utility>

#include "polhode/math/vec.hpp"
#include "polhode/method/failures.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

/// The first multiple of `every` after step n, or never.
POLHODE_HD std::int64_t next_multiple(std::int64_t n, std::int64_t every) {
  return every > 0 ? (n / every + 1) * every : std::numeric_limits<std::int64_t>::max();
}

/// Reads and writes the lanes of a column. Lanes past the end repeat the last trajectory and are not stored. A full
/// pack is a few instructions, and invariants are compared in the time loop; anything else would be long, and is a
/// call.
template <class T>
struct LaneRange {
  static constexpr bool is_pack = (lanes_of<T>) > 1;
  std::int64_t first, n;

  POLHODE_HD int count() const { return first + lanes_of<T> <= n ? lanes_of<T> : static_cast<int>(n - first); }
  POLHODE_HD T load(const double* column) const {
    if constexpr (is_pack)
      if (count() == lanes_of<T>) return load_full(column + first);
    return load_some(column);
  }
  POLHODE_HD void store(double* column, const T& x) const {
    if constexpr (is_pack)
      if (count() == lanes_of<T>) return store_full(x, column + first);
    store_some(column, x);
  }

 private:
  // Without a buffer, whose registers would wait for the halves that a copy of n bytes leaves: a tenth of a run that
  // compares invariants.
  static POLHODE_HD T load_full(const double* numbers) {
    if constexpr (std::is_same_v<Real<T>, double>) {
      return load_lanes<T>(numbers);
    } else {
      Real<T> memory[lanes_of<T>];
      for (int lane = 0; lane < lanes_of<T>; ++lane) memory[lane] = static_cast<Real<T>>(numbers[lane]);
      return load_lanes<T>(memory);
    }
  }
  static POLHODE_HD void store_full(const T& x, double* numbers) {
    if constexpr (std::is_same_v<Real<T>, double>) {
      store_lanes(x, numbers);
    } else {
      Real<T> memory[lanes_of<T>];
      store_lanes(x, memory);
      for (int lane = 0; lane < lanes_of<T>; ++lane) numbers[lane] = static_cast<double>(memory[lane]);
    }
  }
  POLHODE_OUTLINED T load_some(const double* column) const {
    Real<T> memory[lanes_of<T>] = {};  // GCC does not see that every lane is set
    for (int lane = 0; lane < count(); ++lane) memory[lane] = static_cast<Real<T>>(column[first + lane]);
    for (int lane = count(); lane < lanes_of<T>; ++lane) memory[lane] = static_cast<Real<T>>(column[n - 1]);
    return load_lanes<T>(memory);
  }
  POLHODE_OUTLINED void store_some(double* column, const T& x) const {
    Real<T> memory[lanes_of<T>];
    store_lanes(x, memory);
    for (int lane = 0; lane < count(); ++lane) column[first + lane] = static_cast<double>(memory[lane]);
  }
};

/// Calls f(i, column) for each of the first n invariants that the plan keeps. A loop, because every copy of f would
/// hold all that invariants are made of: with six of them, that of a rigid body's matrices took a compiler 7 GB.
template <int n, class F>
POLHODE_HD void for_invariants(const Plan& plan, F&& f) {
  std::int64_t column = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#elif !defined(__CUDACC__)
#pragma GCC unroll 1
#endif
  for (int i = 0; i < n; ++i)
    if (plan.invariants >> i & 1u) f(i, column++);
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

  const typename System::template Model<T> model(plan.parameters);
  const typename Map::template Step<T> step(model, plan.coefficients, T(static_cast<R>(plan.step)), plan.sweeps);
  const LaneRange<T> lanes{first, in.n};
  const std::int64_t end = segment.first + segment.count;

  // The states before and after a step. Those of a pack are in memory, and change places; a GPU thread's are in
  // registers as far as they fit, and are copied.
  State states[2];
  State *x = &states[0], *y = &states[1];
  for_columns<dim>([&](int i) POLHODE_LAMBDA { (*x)[i] = lanes.load(in.state + i * in.n); });

  Mask<T> alive = mask_from_lanes<T>([&](int lane) POLHODE_LAMBDA {
    return first + lane < in.n && in.code[first + lane] == static_cast<std::uint8_t>(Status::ok);
  });
  bool frozen = !all(alive);  // some lane does not advance
  for (int lane = 0; lane < lanes_of<T> && first + lane < in.n; ++lane) {
    out.code[first + lane] = in.code[first + lane];
    out.steps[first + lane] = in.steps[first + lane];
  }

  /// Lanes that end after step n, each with its status.
  const auto end_lanes = [&](const Mask<T>& ending, std::int64_t n, auto&& status) POLHODE_LAMBDA {
    for (std::uint64_t bits = mask_bits(ending); bits != 0; bits &= bits - 1) {
      const int lane = lowest_bit(bits);
      out.code[first + lane] = static_cast<std::uint8_t>(status(lane));
      out.steps[first + lane] = n;
    }
    alive = alive & (!ending);
    frozen = true;
  };

  const bool with_section = plan.section.observable >= 0;
  const T section_value(static_cast<R>(plan.section.value));
  const auto section = [&](const State& at)
                           POLHODE_LAMBDA { return model.observe(plan.section.observable, at) - section_value; };
  SectionSide<T> side;
  if (with_section) cross(plan.section, side, section(*x));  // a start is no crossing

  // Invariants are kept in memory, not in registers: they are needed once in many steps.
  for_invariants<n_invariants>(plan, [&](int, std::int64_t column) POLHODE_LAMBDA {
    const std::int64_t at = column * in.n;
    lanes.store(out.invariants + at, lanes.load(in.invariants + at));
    lanes.store(out.max_drift + at, lanes.load(in.max_drift + at));
  });
  // At one place in the code for all uses, because they are large: at the start of the run, n = 0, the values are kept,
  // later compared with those, and at a snapshot handed out.
  const auto record = [&](std::int64_t n, bool compare, bool snapshot) POLHODE_LAMBDA {
    if (snapshot) {
      for_columns<dim>([&](int i) POLHODE_LAMBDA { lanes.store(snapshots + i * in.n, (*x)[i]); });
      snapshots += dim * in.n;
    }
    for_invariants<n_invariants>(plan, [&](int i, std::int64_t column) POLHODE_LAMBDA {
      const std::int64_t at = column * in.n;
      const T value = model.invariant(i, *x);
      if (n == 0) {
        lanes.store(out.invariants + at, value);
        lanes.store(out.max_drift + at, T(R(0)));
      }
      if (compare) {
        const T change = abs(value - lanes.load(out.invariants + at)), drift = lanes.load(out.max_drift + at);
        lanes.store(out.max_drift + at, select(alive & (change > drift), change, drift));
      }
      if (snapshot) {
        lanes.store(snapshots, value);
        snapshots += in.n;
      }
    });
  };

  std::int64_t next_invariants = next_multiple(segment.first, plan.invariants_every);
  std::int64_t next_snapshot = next_multiple(segment.first, plan.snapshots_every);

  for (std::int64_t n = segment.first;; ++n) {
    const bool compare = n > segment.first && (n == next_invariants || n == plan.last_step);
    const bool snapshot = n == next_snapshot;
    if (n == 0 || compare || snapshot) {
      record(n, compare, snapshot);
      if (compare) next_invariants = next_multiple(n, plan.invariants_every);
      if (snapshot) next_snapshot += plan.snapshots_every;
    }
    if (n == end) break;

    const Mask<T> valid = step(*x, *y, alive);
    if (!all(valid)) {
      const Failures<T> failures = step.failures(*x);
      end_lanes(!valid, n, [&](int lane) POLHODE_LAMBDA { return failures.status(lane); });
    }
    if (frozen) *y = select(alive, *y, *x);

    if (with_section) {
      const T after = section(*y);
      const Mask<T> crossing = cross(plan.section, side, after);
      if (any(crossing)) {
        capture<T, State, dim>(crossings, crossing, first, n, *x, after);
        if (plan.section.terminal) {
          end_lanes(crossing, n, [](int) POLHODE_LAMBDA { return Status::event; });
          *y = select(alive, *y, *x);
          side.forget(crossing);
        }
      }
    }
    if constexpr (LaneRange<T>::is_pack)
      std::swap(x, y);
    else
      *x = *y;
  }

  for_columns<dim>([&](int i) POLHODE_LAMBDA { lanes.store(out.state + i * in.n, (*x)[i]); });
  for (std::uint64_t bits = mask_bits(alive); bits != 0; bits &= bits - 1) out.steps[first + lowest_bit(bits)] = end;
}

}  // namespace polhode::inline POLHODE_ISA
