// Poincare sections: the time loop detects that an observable f crosses its value between two steps and stores the
// state before; the crossing is solved for afterwards (run/refine.hpp), for all crossings together and without
// divergence in the hot loop.
//
//     up:  f_n < 0 <= f_{n+1}        down:  f_n > 0 >= f_{n+1}        (f measured from the section's value)
//
// A start on the section is therefore not a crossing, and a crossing in step n lies in (n h, (n+1) h]. Up and down
// refer to the order of steps: with a negative h, up means falling in time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "polhode/scalar/scalar.hpp"

namespace polhode {

struct SectionPlan {
  int observable;  ///< index into System::observables; negative: no section
  double value;
  bool up, down;              ///< directions that count
  bool terminal = false;      ///< a crossing ends its trajectory, which retains the state before
  bool long_steps = false;    ///< two crossings in one step are looked for, where f does not change its sign
  bool modulo_turns = false;  ///< the observable is an angle without bound (observer/section_function.hpp)
  bool jumps = false;         ///< the observable is an angle in (-pi, pi] (run/continuity.hpp)
};

/// A bounded list of crossings. *count continues beyond the capacity, so that an overflow is detected and the segment
/// repeated.
struct CrossingView {
  std::int64_t capacity;
  std::int64_t* count;
  std::int64_t* trajectory;  ///< [capacity]
  std::int64_t* step;        ///< [capacity], the n above; until it is refined -1 - n for the later of two crossings
  double* theta;             ///< [capacity], first f_{n+1}, then the refined fraction of the step; NaN if the
                             ///< refinement failed, infinite if f jumps over its value, which is not a crossing, or
                             ///< has not reached it, and -infinite if f is round-off at both ends of the step
  double* state;             ///< [capacity][dim], before the crossing, then on the section if theta is finite
  double* slope = nullptr;   ///< [capacity], of long steps: the derivative of f at n + 1 by theta
};

/// Length of a list that a single step of n trajectories cannot overflow.
constexpr std::int64_t least_capacity(const SectionPlan& section, std::int64_t n) {
  return section.long_steps ? 2 * n : n;
}

inline namespace POLHODE_ISA {

/// One bit per lane, bit l for lane l. For a single lane a bool, which costs a GPU thread no register.
template <class T>
using LaneBits = std::conditional_t<lanes_of<T> == 1, bool, std::uint64_t>;

/// Set difference; `& ~` would not work for a bool.
template <class Bits>
POLHODE_HD Bits without(Bits lanes, Bits others) {
  return lanes ^ (lanes & others);
}

/// Side of the section's value on which each lane is; only for the directions that count.
template <class T>
struct SectionSide {
  LaneBits<T> below = 0, above = 0;

  /// Clears the side of lanes that are reset to an earlier state, so that their crossing is not detected again.
  POLHODE_HD void forget(LaneBits<T> lanes) {
    below = without(below, lanes);
    above = without(above, lanes);
  }
};

/// Side of `level` on which an observable is. The level is the section's value, or zero if that has been subtracted.
/// Both give the same result, because differences underflow gradually: nothing is flushed to zero.
template <class T>
POLHODE_HD SectionSide<T> side_of(const SectionPlan& section, const T& level, const T& observable) {
  SectionSide<T> side;
  if (section.up) side.below = static_cast<LaneBits<T>>(mask_bits(observable < level));
  if (section.down) side.above = static_cast<LaneBits<T>>(mask_bits(observable > level));
  return side;
}

/// Lanes that cross, given their sides before and after a step.
template <class T>
POLHODE_HD LaneBits<T> crossed(const SectionSide<T>& before, const SectionSide<T>& after) {
  return without(before.below, after.below) | without(before.above, after.above);
}

/// Reserves the next place in the list. The order of places is arbitrary, except within one trajectory.
POLHODE_HD std::int64_t take_place(const CrossingView& list) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::int64_t>(atomicAdd(reinterpret_cast<unsigned long long*>(list.count), 1ull));
#else
  return (*list.count)++;
#endif
}

/// Appends the crossings of lanes: trajectory first + lane, step n, state x before, observable f_{n+1} after.
/// slope: that of long steps.
template <class T, class State, int dim>
POLHODE_HD void capture(const CrossingView& list, LaneBits<T> crossing, std::int64_t first, std::int64_t n,
                        const State& x, const T& after, const T* slope = nullptr) {
  for (std::uint64_t bits = crossing; bits != 0; bits &= bits - 1) {
    const int lane = lowest_bit(bits);
    const std::int64_t place = take_place(list);
    if (place >= list.capacity) continue;
    list.trajectory[place] = first + lane;
    list.step[place] = n;
    list.theta[place] = static_cast<double>(lane_of(after, lane));
    if (slope) list.slope[place] = static_cast<double>(lane_of(*slope, lane));
    for_columns<dim>([&](int i)
                         POLHODE_LAMBDA { list.state[place * dim + i] = static_cast<double>(lane_of(x[i], lane)); });
  }
}

}  // namespace POLHODE_ISA
}  // namespace polhode
