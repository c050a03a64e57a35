#include "kernels/device_code.hpp"

namespace polhode {
namespace {

__global__ void check_kernel(const std::int64_t* count, std::int64_t room, std::uint32_t* overflowed) {
  if (*count > room) *overflowed = 1;
}

__global__ void carry_on_kernel(const std::int64_t* from, std::int64_t* to, std::int64_t n,
                                const std::uint32_t* overflowed) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < n && *overflowed == 0) to[k] = from[k];
}

}  // namespace

cudaError_t find_device_code() {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, check_kernel);
}

cudaError_t launch_check(const std::int64_t* count, std::int64_t room, std::uint32_t* overflowed, cudaStream_t stream) {
  check_kernel<<<1, 1, 0, stream>>>(count, room, overflowed);
  return cudaGetLastError();
}

cudaError_t launch_carry_on(const std::int64_t* from, std::int64_t* to, std::int64_t n, const std::uint32_t* overflowed,
                            cudaStream_t stream) {
  constexpr int threads = 256;
  carry_on_kernel<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, stream>>>(from, to, n, overflowed);
  return cudaGetLastError();
}

}  // namespace polhode
