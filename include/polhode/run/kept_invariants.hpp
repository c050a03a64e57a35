// Recorded invariants of trajectories that advance together: their values at step 0 and the largest change since.
#pragma once

#include "polhode/run/carried.hpp"
#include "polhode/run/lane_range.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

/// Calls f(i, column) for each of the first n invariants that the plan records. A loop, because every unrolled copy of
/// f would inline the code of all invariants: for the six of a rigid body in matrix form a compiler took 7 GB.
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

/// Initial invariants and drifts, in memory, not in registers: they are needed once in many steps. A pack has its own
/// copy, because the columns of a slice are powers of two apart and would evict each other from the L1 cache. A GPU
/// thread works on the columns, passed in each call: members here caused register spills. n: System::n_invariants.
template <class T, int n>
class KeptInvariants {
 public:
  POLHODE_HD KeptInvariants(const Plan& plan, const LaneRange<T>& lanes, const BatchView& in, const BatchView& out) {
    for_invariants<n>(plan, [&](int, std::int64_t column) POLHODE_LAMBDA {
      const T initial = lanes.load(in.invariants + column * lanes.n),
              max_drift = lanes.load(in.max_drift + column * lanes.n);
      if constexpr (beside) {
        initial_[column] = initial;
        max_drift_[column] = max_drift;
      } else {
        lanes.store(out.invariants + column * lanes.n, initial);
        lanes.store(out.max_drift + column * lanes.n, max_drift);
      }
    });
  }

  /// Stores the value at step 0.
  POLHODE_HD void start(std::int64_t column, const T& value, const LaneRange<T>& lanes, const BatchView& out) {
    if constexpr (beside) {
      initial_[column] = value;
      max_drift_[column] = T(Real<T>(0));
    } else {
      lanes.store(out.invariants + column * lanes.n, value);
      lanes.store(out.max_drift + column * lanes.n, T(Real<T>(0)));
    }
  }
  /// Compares the value at a later step, in the lanes that are alive, and returns its change; frozen: some are not.
  POLHODE_HD T compare(std::int64_t column, const T& value, const Mask<T>& alive, bool frozen,
                       const LaneRange<T>& lanes, const BatchView& out) {
    const auto joined = [&](const T& change, const T& before) POLHODE_LAMBDA {
      const T largest = larger(change, before);
      return frozen ? select(alive, largest, before) : largest;
    };
    if constexpr (beside) {
      const T change = abs(value - initial_[column]);
      max_drift_[column] = joined(change, max_drift_[column]);
      return change;
    } else {
      const T initial = lanes.load(out.invariants + column * lanes.n),
              before = lanes.load(out.max_drift + column * lanes.n);
      const T change = abs(value - initial);
      lanes.store(out.max_drift + column * lanes.n, joined(change, before));
      return change;
    }
  }
  /// Stores the values in the columns of `out`.
  POLHODE_HD void finish(const Plan& plan, const LaneRange<T>& lanes, const BatchView& out) const {
    if constexpr (beside)
      for_invariants<n>(plan, [&](int, std::int64_t column) POLHODE_LAMBDA {
        lanes.store(out.invariants + column * lanes.n, initial_[column]);
        lanes.store(out.max_drift + column * lanes.n, max_drift_[column]);
      });
  }

 private:
  static constexpr bool beside = LaneRange<T>::is_pack;
  T initial_[beside ? n : 1], max_drift_[beside ? n : 1];
};

}  // namespace polhode::inline POLHODE_ISA
