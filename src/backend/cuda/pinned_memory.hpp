// Owning pinned memory of the host, to and from which a device copies by itself and at the full rate of the bus. Taking
// it is slow: once for a run. Contents are undefined at first.
#pragma once

#include <cstdint>
#include <memory>

#include "backend/cuda/check.hpp"

namespace polhode {

template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::int64_t size) : size_(size) {
    if (size == 0) return;
    void* memory = nullptr;
    cuda_check(cudaHostAlloc(&memory, size * sizeof(T), cudaHostAllocDefault), "pin memory of the host");
    memory_.reset(static_cast<T*>(memory));
  }

  T* data() const { return memory_.get(); }
  std::int64_t size() const { return size_; }

 private:
  struct Free {
    void operator()(void* memory) const { cudaFreeHost(memory); }
  };
  std::int64_t size_ = 0;
  std::unique_ptr<T, Free> memory_;
};

}  // namespace polhode
