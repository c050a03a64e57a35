#include "kernels/device_code.hpp"

namespace polhode {
namespace {

__global__ void check_kernel(const std::int64_t* count, std::int64_t room, std::uint32_t* poison) {
  if (*count > room) *poison = 1;
}

__global__ void carry_on_kernel(const std::int64_t* from, std::int64_t* to, std::int64_t n,
                                const std::uint32_t* poison) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < n && *poison == 0) to[k] = from[k];
}

}  // namespace

cudaError_t find_device_code() {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, check_kernel);
}

cudaError_t launch_check(const std::int64_t* count, std::int64_t room, std::uint32_t* poison, cudaStream_t stream) {
  check_kernel<<<1, 1, 0, stream>>>(count, room, poison);
  return cudaGetLastError();
}

cudaError_t launch_carry_on(const std::int64_t* from, std::int64_t* to, std::int64_t n, const std::uint32_t* poison,
                            cudaStream_t stream) {
  constexpr int threads = 256;
  carry_on_kernel<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, stream>>>(from, to, n, poison);
  return cudaGetLastError();
}

}  // namespace polhode
