// Owning device memory: a buffer, the columns of a batch, a list of crossings. Contents are undefined at first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "backend/batch.hpp"
#include "backend/cuda/check.hpp"

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

template <class T>
void copy_to_device(T* device, const T* host, std::int64_t size, cudaStream_t stream) {
  cuda_check(cudaMemcpyAsync(device, host, size * sizeof(T), cudaMemcpyHostToDevice, stream), "take over the ensemble");
}
template <class T>
void copy_to_host(T* host, const T* device, std::int64_t size, cudaStream_t stream) {
  cuda_check(cudaMemcpyAsync(host, device, size * sizeof(T), cudaMemcpyDeviceToHost, stream), "hand out its results");
}

/// The columns of a Batch on the device.
class DeviceBatch {
 public:
  DeviceBatch() = default;
  explicit DeviceBatch(const BatchShape& shape);

  static std::int64_t bytes(const BatchShape& shape);

  const BatchShape& shape() const { return shape_; }
  BatchView view() const;
  /// Copies from or to a host batch of the same shape. The host may use it again once the stream has got here.
  void upload(const Batch& batch, cudaStream_t stream);
  void download(Batch& batch, cudaStream_t stream) const;

 private:
  BatchShape shape_;
  Carried<DeviceBuffer> columns_;
};

/// The arrays of a CrossingView on the device, but not its counter.
class DeviceCrossings {
 public:
  DeviceCrossings() = default;
  DeviceCrossings(std::int64_t capacity, int dim, bool of_long_steps)
      : trajectory_(capacity),
        step_(capacity),
        theta_(capacity),
        state_(capacity * dim),
        slope_(of_long_steps ? capacity : 0) {}

  static std::int64_t bytes(std::int64_t capacity, int dim, bool of_long_steps) {
    const int doubles = 1 + dim + (of_long_steps ? 1 : 0);
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
