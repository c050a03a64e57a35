// The states before and after each step of a run of steps: those that a pack takes before anything is examined.
#pragma once

#include <algorithm>
#include <cstdint>

#include "polhode/run/lane_range.hpp"

namespace polhode::inline POLHODE_ISA {

/// A pack's states are a ring in memory, and a run starts where the last one ended. A GPU thread's states are in
/// registers as far as they fit, and are copied; its runs have one step.
template <class State, int dim, class T>
class StateRing {
  static constexpr bool is_pack = LaneRange<T>::is_pack;

 public:
  /// Largest number of steps of a run. A branch on crossings in every step would be unpredictable: a quarter of the
  /// packs of 32 lanes take it. The states of a run must fit into the L1 cache.
  static constexpr int longest_run = is_pack ? std::clamp((16 << 10) / static_cast<int>(sizeof(State)), 1, 8) : 1;

  /// columns: [dim][n]
  POLHODE_HD StateRing(const LaneRange<T>& lanes, const double* columns) {
    for_columns<dim>([&](int i) POLHODE_LAMBDA { states_[0][i] = lanes.load(columns + i * lanes.n); });
  }
  POLHODE_HD void store(const LaneRange<T>& lanes, double* columns) const {
    for_columns<dim>([&](int i) POLHODE_LAMBDA { lanes.store(columns + i * lanes.n, (*this)[0][i]); });
  }

  /// State before step k of the run, which is that after step k - 1.
  POLHODE_HD const State& operator[](int k) const { return states_[place(k)]; }
  POLHODE_HD State& operator[](int k) { return states_[place(k)]; }

  /// Starts the next run, after one of `count` steps.
  POLHODE_HD void start_next_run(int count) {
    if constexpr (is_pack)
      start_ = place(count);
    else
      states_[0] = states_[1];
  }

 private:
  POLHODE_HD int place(int k) const {
    if constexpr (!is_pack) return k;  // known at compile time, so that the states can be split into registers
    const int i = start_ + k;
    return i <= longest_run ? i : i - (longest_run + 1);
  }

  State states_[longest_run + 1];
  int start_ = 0;
};

}  // namespace polhode::inline POLHODE_ISA
