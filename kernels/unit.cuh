// Kernels for GPUs: one thread per trajectory, whose state stays in registers from the first to the last
// step of the segment.
#pragma once

#include "kernels/atomics.cuh"
#include "kernels/kernels.hpp"
#include "polhode/method/step_maps.hpp"
#include "polhode/run/judge_point.hpp"
#include "polhode/run/propagate.hpp"
#include "polhode/run/refine.hpp"
#include "polhode/run/statistics_of_block.hpp"

namespace polhode::inline POLHODE_ISA {

/// Threads of a block: one warp for each of the four schedulers of a multiprocessor. Threads share nothing, so that
/// larger blocks would only make the last wave coarser; smaller ones would be limited by the number of resident blocks
/// before that of registers.
inline constexpr int threads_per_block = 128;

/// Whether a system is small: by its own is_large, or else if it has no constraints, whose steps hold matrices.
template <class System>
constexpr bool is_small() {
  if constexpr (requires { System::is_large; })
    return !System::is_large;
  else
    return System::kind != Kind::constrained;
}
/// Whether state and unknowns are so few that five blocks per multiprocessor have room.
template <class Map>
constexpr bool has_few_values() {
  if constexpr (requires { Map::Solver::unknowns; })
    return Map::System::dim + Map::Solver::unknowns <= 9;
  else
    return false;
}
/// Whether state and unknowns, beside constants that are computed from the state, have room only with two blocks per
/// multiprocessor.
template <class Map>
constexpr bool has_many_values() {
  if constexpr (requires { Map::Solver::unknowns; })
    return Map::System::dim + Map::Solver::unknowns > 15;
  else
    return false;
}
/// Whether a step computes constants of its own from the state.
template <class Map>
constexpr bool has_constants_of_a_state() {
  if constexpr (requires { Map::has_constants_of_a_state; }) return Map::has_constants_of_a_state;
  return false;
}
/// Whether a map is small: its system is, and its step does not hold much besides the state.
template <class Map>
constexpr bool is_small_map() {
  if constexpr (requires { Map::is_large; })
    return is_small<typename Map::System>() && !Map::is_large;
  else
    return is_small<typename Map::System>();
}
/// Blocks of the time loop per multiprocessor: as many warps per scheduler, and a bound to the registers of a thread.
/// Four warps hide the latency of fused operations, with 128 registers each; without a bound ptxas stops at 96 for one
/// kernel on sm_90 and spills inside the time loop. Steps with few values run five, with 96 registers; six would make
/// one of them spill on sm_80. Two leave 255 registers to large systems and maps, three 168 to most of the steps that
/// compute constants from the state.
template <class Map>
inline constexpr int blocks_per_multiprocessor = !is_small_map<Map>()              ? 2
                                                 : has_constants_of_a_state<Map>() ? (has_many_values<Map>() ? 2 : 3)
                                                 : has_few_values<Map>()           ? 5
                                                                                   : 4;
/// Blocks of the refinement per multiprocessor. A refinement holds a second state and a bracket besides the step, and
/// is short: it has fewer threads, with 168 or 255 registers.
template <class Search>
inline constexpr int refining_blocks_per_multiprocessor = is_small_map<typename Search::Map>() &&
                                                                  !has_constants_of_a_state<typename Search::Map>() &&
                                                                  !Search::holds_slopes
                                                              ? 3
                                                              : 2;

// The arguments are __grid_constant__ because the loop takes them by reference: they stay in constant memory. A
// terminal section has a kernel of its own, since crossings are looked at more closely; where steps are long, with a
// search.
template <class Map, class R, bool ends>
__global__ void __launch_bounds__(threads_per_block, ends ? 2 : blocks_per_multiprocessor<Map>)
    propagate_kernel(const __grid_constant__ Plan plan, const __grid_constant__ StageConstants<Map, R> constants,
                     const __grid_constant__ Segment segment, const __grid_constant__ BatchView in,
                     const __grid_constant__ BatchView out, const __grid_constant__ CrossingView crossings,
                     double* snapshots, const std::uint32_t* overflowed) {
  const std::int64_t trajectory = std::int64_t{blockIdx.x} * threads_per_block + threadIdx.x;
  if (trajectory < in.n && *overflowed == 0)
    propagate<Map, R>(plan, constants, segment, in, out, crossings, snapshots, trajectory, std::bool_constant<ends>());
}

/// Refines and selects crossings, whose number only the device knows: each thread takes one after another.
template <class Search, class Map = typename Search::Map, class R = typename Search::Number>
__global__ void __launch_bounds__(threads_per_block, refining_blocks_per_multiprocessor<Search>)
    collect_kernel(const __grid_constant__ Plan plan, const __grid_constant__ PointSelection selection,
                   const __grid_constant__ CommonOf<Map, R> common, const __grid_constant__ CrossingView list,
                   const __grid_constant__ DeviceSelection to) {
  using System = typename Map::System;
  const std::int64_t count = *list.count;
  if (count > list.capacity) return;  // the segment will be repeated
  const typename System::template Model<R> model(plan.parameters);
  const typename System::template Model<double> exact(plan.parameters);
  SelectionOfThread<System::dim> selected(to, list);
  const std::int64_t threads = std::int64_t{gridDim.x} * threads_per_block;
  for (std::int64_t k = std::int64_t{blockIdx.x} * threads_per_block + threadIdx.x; k < count; k += threads) {
    refine<Search>(model, plan, common, list, count, k);
    judge_point<System>(selection, exact, list, k, selected);
  }
}

/// Statistics, by one warp for a block of moments. Four blocks per multiprocessor bound the registers, as for the time
/// loop of small systems.
template <class System>
__global__ void __launch_bounds__(threads_per_block, 4)
    statistics_kernel(const __grid_constant__ Plan plan, const __grid_constant__ StatisticsPlan statistics,
                      const __grid_constant__ StatesAt at, std::int64_t blocks, SampleMoments* moments,
                      std::int64_t* counts) {
  const std::int64_t block = (std::int64_t{blockIdx.x} * threads_per_block + threadIdx.x) / moments_lanes;
  if (block < blocks)
    statistics_of_block<System>(plan, statistics, LanesOfWarp(), at, block, moments + block * statistics.count, counts);
}

/// Number of blocks for `count` threads.
inline unsigned blocks_for(std::int64_t count) {
  return static_cast<unsigned>((count + threads_per_block - 1) / threads_per_block);
}

template <class Map, class R>
cudaError_t launch_propagate(const Plan& plan, const Segment& segment, const BatchView& in, const BatchView& out,
                             const CrossingView& crossings, double* snapshots, const std::uint32_t* overflowed,
                             cudaStream_t stream) {
  if (in.n == 0) return cudaSuccess;
  static_assert(sizeof(Plan) + sizeof(StageConstants<Map, R>) <= (28 << 10), "a kernel takes 32 KiB of arguments");
  const StageConstants<Map, R> constants(plan);
  const auto kernel = plan.section.terminal ? propagate_kernel<Map, R, true> : propagate_kernel<Map, R, false>;
  kernel<<<blocks_for(in.n), threads_per_block, 0, stream>>>(plan, constants, segment, in, out, crossings, snapshots,
                                                             overflowed);
  return cudaGetLastError();
}

template <class Search, class Common>
cudaError_t launch_search(const Plan& plan, const PointSelection& selection, const Common& common,
                          const CrossingView& list, const DeviceSelection& to, cudaStream_t stream) {
  int device = 0, multiprocessors = 0;
  if (const cudaError_t status = cudaGetDevice(&device); status != cudaSuccess) return status;
  if (const cudaError_t status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
      status != cudaSuccess)
    return status;
  const auto blocks = static_cast<unsigned>(multiprocessors * refining_blocks_per_multiprocessor<Search>);
  collect_kernel<Search><<<blocks, threads_per_block, 0, stream>>>(plan, selection, common, list, to);
  return cudaGetLastError();
}

template <class Map, class R>
cudaError_t launch_collect(const Plan& plan, const PointSelection& selection, const CrossingView& list,
                           const DeviceSelection& to, cudaStream_t stream) {
  const CommonOf<Map, R> common(typename Map::System::template Model<R>(plan.parameters),
                                options_from<OptionsOf<Map>>(plan.step_plan.options));
  return with_search<Map, R>(plan.section, [&]<class Search>(std::type_identity<Search>) {
    return launch_search<Search>(plan, selection, common, list, to, stream);
  });
}

template <class System>
cudaError_t launch_statistics(const Plan& plan, const StatisticsPlan& statistics, const StatesAt& at,
                              SampleMoments* moments, std::int64_t* counts, cudaStream_t stream) {
  const std::int64_t blocks = (at.n + moments_block - 1) / moments_block;
  statistics_kernel<System><<<blocks_for(blocks * moments_lanes), threads_per_block, 0, stream>>>(
      plan, statistics, at, blocks, moments, counts);
  return cudaGetLastError();
}

}  // namespace polhode::inline POLHODE_ISA
