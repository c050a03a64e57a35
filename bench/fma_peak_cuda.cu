#include "backend/cuda/check.hpp"
#include "fma_peak_cuda.hpp"

namespace polhode::bench {
namespace {

constexpr int threads_per_block = 256;
constexpr int chains = 8;                 // with all the warps that fit, more than any latency needs
constexpr std::int64_t rounds = 1 << 16;  // milliseconds, beside which a launch is nothing

/// Each chain tends to 2 half = 1. `half` is an argument so that the compiler cannot know this.
template <class R>
__global__ void __launch_bounds__(threads_per_block) run_chains(R half, R* never_written) {
  R chain[chains];
  for (int i = 0; i < chains; ++i) chain[i] = static_cast<R>(threadIdx.x + i);
  for (std::int64_t k = 0; k < rounds; k += 16)
#pragma unroll
    for (int round = 0; round < 16; ++round)
#pragma unroll
      for (int i = 0; i < chains; ++i) chain[i] = fma(chain[i], half, half);
  R sum = 0;
  for (int i = 0; i < chains; ++i) sum += chain[i];
  if (sum < 0) *never_written = sum;
}

template <class R>
std::int64_t run() {
  int device = 0, multiprocessors = 0, blocks = 0;
  cuda_check(cudaGetDevice(&device), "be chosen");
  cuda_check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "report its size");
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_chains<R>, threads_per_block, 0),
             "plan a measurement");
  blocks *= multiprocessors;  // one wave
  run_chains<R><<<blocks, threads_per_block>>>(R(0.5), nullptr);
  cuda_check(cudaGetLastError(), "start a measurement");
  cuda_check(cudaDeviceSynchronize(), "finish a measurement");
  return blocks * rounds * chains * threads_per_block;
}

}  // namespace

std::int64_t run_cuda_fmas(Precision precision) {
  return precision == Precision::binary64 ? run<double>() : run<float>();
}

}  // namespace polhode::bench
