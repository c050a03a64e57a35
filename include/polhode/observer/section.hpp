// Poincare sections: the loop notices that an observable f crosses its value between two steps and keeps the state
// before; the crossing is solved for afterwards (run/refine.hpp), all at once and without divergence in the hot loop.
//
//     up:  f_n < 0 <= f_{n+1}        down:  f_n > 0 >= f_{n+1}        (f measured from the section's value)
//
// A start on the section is therefore not a crossing, and a crossing in step n lies in (n h, (n+1) h]. Up and down are
// meant in the order of steps: with a negative h, up is falling in time.
#pragma once

#include <cstdint>

#include "polhode/scalar/scalar.hpp"

namespace polhode {

struct SectionPlan {
  int observable;  ///< index into System::observables; negative: no section
  double value;
  bool up, down;  ///< directions that count
};

/// A bounded list of crossings. *count goes on past the capacity, so that an overflow is seen and the segment repeated.
struct CrossingView {
  std::int64_t capacity;
  std::int64_t* count;
  std::int64_t* trajectory;  ///< [capacity]
  std::int64_t* step;        ///< [capacity], the n above
  double* theta;             ///< [capacity], fraction of the step: a linear estimate, then refined; NaN if that failed
  double* state;             ///< [capacity][dim], before the crossing, then on the section
};

inline namespace POLHODE_ISA {

template <class T>
POLHODE_HD Mask<T> crosses(const SectionPlan& section, const T& before, const T& after) {
  const T zero(Real<T>(0));
  Mask<T> crossing(false);
  if (section.up) crossing = (before < zero) & (after >= zero);
  if (section.down) crossing = crossing | ((before > zero) & (after <= zero));
  return crossing;
}

/// Takes the next place in the list; the order of places means nothing, except within one trajectory.
POLHODE_HD std::int64_t take_place(const CrossingView& list) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::int64_t>(atomicAdd(reinterpret_cast<unsigned long long*>(list.count), 1ull));
#else
  return (*list.count)++;
#endif
}

/// Appends the crossing lanes: trajectory first + lane, step n, state x before, estimate from the two values.
template <class T, class State, int dim>
POLHODE_HD void capture(const CrossingView& list, const Mask<T>& crossing, std::int64_t first, std::int64_t n,
                        const State& x, const T& before, const T& after) {
  Real<T> lane_state[dim][lanes_of<T>], lane_before[lanes_of<T>], lane_after[lanes_of<T>];
  unroll<dim>([&](int i) POLHODE_LAMBDA { store_lanes(x[i], lane_state[i]); });
  store_lanes(before, lane_before);
  store_lanes(after, lane_after);
  for (std::uint64_t bits = mask_bits(crossing); bits != 0; bits &= bits - 1) {
    const int lane = lowest_bit(bits);
    const std::int64_t place = take_place(list);
    if (place >= list.capacity) continue;
    list.trajectory[place] = first + lane;
    list.step[place] = n;
    const Real<T> estimate = lane_before[lane] / (lane_before[lane] - lane_after[lane]);
    constexpr Real<T> least = std::numeric_limits<Real<T>>::min();  // theta is positive also where that underflows
    list.theta[place] = static_cast<double>(estimate > least ? estimate : least);
    for (int i = 0; i < dim; ++i) list.state[place * dim + i] = static_cast<double>(lane_state[i][lane]);
  }
}

}  // namespace POLHODE_ISA
}  // namespace polhode
