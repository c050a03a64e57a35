#include "kernels/ordering.hpp"

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>

namespace polhode {
namespace {

constexpr int threads_per_block = 256;

unsigned blocks_for(std::int64_t threads) {
  return static_cast<unsigned>((threads + threads_per_block - 1) / threads_per_block);
}

__global__ void number_places(std::uint32_t* places, std::int64_t count) {
  const std::int64_t k = std::int64_t{blockIdx.x} * threads_per_block + threadIdx.x;
  if (k < count) places[k] = static_cast<std::uint32_t>(k);
}

/// One thread per element of the states, so that writes coalesce; the first thread of a row also copies the
/// other columns.
__global__ void gather(CrossingView captured, CrossingView ordered, const std::uint32_t* places, std::int64_t count,
                       int dim) {
  const std::int64_t k = std::int64_t{blockIdx.x} * threads_per_block + threadIdx.x;
  if (k >= count * dim) return;
  const std::int64_t row = k / dim, column = k % dim, place = places[row];
  ordered.state[k] = captured.state[place * dim + column];
  if (column == 0) {
    ordered.step[row] = captured.step[place];
    ordered.theta[row] = captured.theta[place];
    if (captured.slope) ordered.slope[row] = captured.slope[place];
  }
}

/// Alignment in the scratch memory, which holds the places before and after the sort, then CUB's own.
constexpr std::size_t alignment = 256;

std::size_t places_bytes(std::int64_t count) {
  return (static_cast<std::size_t>(count) * sizeof(std::uint32_t) + alignment - 1) / alignment * alignment;
}

}  // namespace

cudaError_t ordering_scratch(std::int64_t capacity, std::size_t* bytes) {
  std::size_t sort_bytes = 0;
  const std::int64_t* const keys = nullptr;
  const std::uint32_t* const places = nullptr;
  const cudaError_t status =
      cub::DeviceRadixSort::SortPairs(nullptr, sort_bytes, keys, static_cast<std::int64_t*>(nullptr), places,
                                      static_cast<std::uint32_t*>(nullptr), static_cast<std::uint32_t>(capacity));
  *bytes = 2 * places_bytes(capacity) + sort_bytes;
  return status;
}

cudaError_t order_crossings(const CrossingView& captured, const CrossingView& ordered, std::int64_t count, int dim,
                            std::int64_t n, void* scratch, std::size_t scratch_bytes, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  const std::size_t offset = places_bytes(count);
  auto* const bytes = static_cast<std::byte*>(scratch);
  auto* const places = reinterpret_cast<std::uint32_t*>(bytes);
  auto* const sorted_places = reinterpret_cast<std::uint32_t*>(bytes + offset);
  std::size_t sort_bytes = scratch_bytes - 2 * offset;
  const int key_bits = std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))));

  number_places<<<blocks_for(count), threads_per_block, 0, stream>>>(places, count);
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) return status;

  const cudaError_t sorted = cub::DeviceRadixSort::SortPairs(
      bytes + 2 * offset, sort_bytes, static_cast<const std::int64_t*>(captured.trajectory), ordered.trajectory,
      static_cast<const std::uint32_t*>(places), sorted_places, static_cast<std::uint32_t>(count), 0, key_bits, stream);
  if (sorted != cudaSuccess) return sorted;

  gather<<<blocks_for(count * dim), threads_per_block, 0, stream>>>(captured, ordered, sorted_places, count, dim);
  return cudaGetLastError();
}

cudaError_t find_device_code() {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, gather);
}

}  // namespace polhode
