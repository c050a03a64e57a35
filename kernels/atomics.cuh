// Counting by the threads of a GPU, and the lanes of a warp.
#pragma once

#include <cstdint>

#include "kernels/kernels.hpp"
#include "polhode/observer/moments.hpp"

namespace polhode::inline POLHODE_ISA {

/// Adds one; returns the count before.
__device__ __forceinline__ std::int64_t add_one_to(std::int64_t* count) {
  return static_cast<std::int64_t>(atomicAdd(reinterpret_cast<unsigned long long*>(count), 1ull));
}

/// Selection by one thread from its crossings, added to that of all threads. Counts are whole numbers, so that the
/// order in which threads add to them does not matter.
template <int dim>
class SelectionOfThread {
 public:
  __device__ SelectionOfThread(const DeviceSelection& all, const CrossingView& list) : all_(all), list_(list) {}

  __device__ void add_unrefined() { add_one_to(all_.unrefined); }
  __device__ void count(CrossingCount column, std::int64_t trajectory) {
    if (std::int64_t* const column_of_all = all_.counts.*column) add_one_to(column_of_all + trajectory);
  }
  __device__ void add_point() { place_ = add_one_to(all_.found); }
  __device__ void count_cell(std::int64_t cell) { add_one_to(all_.density + cell); }
  template <class State>
  __device__ void store(std::int64_t k, const State& x) {
    all_.points.trajectory[place_] = list_.trajectory[k];
    all_.points.step[place_] = list_.step[k];
    all_.points.theta[place_] = list_.theta[k];
    for_columns<dim>([&](int i) { all_.points.state[place_ * dim + i] = x[i]; });
  }

 private:
  const DeviceSelection& all_;
  const CrossingView& list_;
  std::int64_t place_ = 0;
};

/// Lanes of a block of moments (observer/moments.hpp), which are those of a warp.
struct LanesOfWarp {
  static_assert(moments_lanes == 32);
  struct Numbers {
    double mine;
    __device__ __forceinline__ double& operator[](int) { return mine; }
  };

  __device__ __forceinline__ static int lane() { return static_cast<int>(threadIdx.x % moments_lanes); }
  template <class F>
  __device__ __forceinline__ void for_each(const F& f) const {
    f(lane());
  }
  template <class Op>
  __device__ __forceinline__ double fold(Numbers x, const Op& op) const {
    for (int apart = moments_lanes / 2; apart > 0; apart /= 2)
      x.mine = op(x.mine, __shfl_down_sync(~0u, x.mine, apart));
    return __shfl_sync(~0u, x.mine, 0);
  }
  __device__ __forceinline__ void add_one(std::int64_t& count) const { add_one_to(&count); }
  __device__ __forceinline__ bool is_first() const { return lane() == 0; }
};

}  // namespace polhode::inline POLHODE_ISA
