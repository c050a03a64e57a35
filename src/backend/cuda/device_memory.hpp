// Device memory that is owned, as a buffer or a list of crossings; and how much is free. Contents are undefined at
// first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "backend/cuda/check.hpp"
#include "polhode/observer/section.hpp"

namespace polhode {

struct CudaFree {
  void operator()(void* memory) const { cudaFree(memory); }
};

template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::int64_t size) : size_(size) {
    if (size == 0) return;
    void* memory = nullptr;
    cuda_check(cudaMalloc(&memory, size * sizeof(T)), "allocate memory");
    memory_.reset(static_cast<T*>(memory));
  }

  T* data() const { return memory_.get(); }
  std::int64_t size() const { return size_; }

 private:
  std::int64_t size_ = 0;
  std::unique_ptr<T, CudaFree> memory_;
};

/// Free device memory, less a reserve for the rounding of allocations and for the runtime itself.
inline std::int64_t free_device_bytes() {
  constexpr std::int64_t reserve = std::int64_t{64} << 20;
  std::size_t free = 0, total = 0;
  cuda_check(cudaMemGetInfo(&free, &total), "report its memory");
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(free) - reserve);
}

inline std::string megabytes(std::int64_t bytes) { return std::to_string((bytes + 999'999) / 1'000'000) + " MB"; }

/// The arrays of a CrossingView on the device, but not its counter.
class DeviceCrossings {
 public:
  DeviceCrossings() = default;
  DeviceCrossings(std::int64_t capacity, int dim, bool with_slopes)
      : trajectory_(capacity),
        step_(capacity),
        theta_(capacity),
        state_(capacity * dim),
        slope_(with_slopes ? capacity : 0) {}

  static std::int64_t bytes(std::int64_t capacity, int dim, bool with_slopes) {
    const int doubles = 1 + dim + (with_slopes ? 1 : 0);
    return capacity * (2 * std::int64_t{sizeof(std::int64_t)} + doubles * std::int64_t{sizeof(double)});
  }

  std::int64_t capacity() const { return trajectory_.size(); }
  CrossingView view(std::int64_t* count = nullptr) const {
    return {capacity(), count, trajectory_.data(), step_.data(), theta_.data(), state_.data(), slope_.data()};
  }

 private:
  DeviceBuffer<std::int64_t> trajectory_, step_;
  DeviceBuffer<double> theta_, state_, slope_;
};

}  // namespace polhode
