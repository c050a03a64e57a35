// Pinned memory of the host, to and from which a device copies by itself and at the full rate of the bus. Allocating
// and freeing it is slow: only what is needed is allocated, and it is used again and again.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <memory_resource>

#include "backend/cuda/check.hpp"

namespace polhode {

/// Allocates and pins whole pages for `bytes` bytes, huge pages from 2 MiB on: that takes a fifth of the time of
/// cudaHostAlloc, whose pages are small. The caller frees them by unpin(). Throws UnavailableError where memory is
/// lacking or cannot be pinned.
inline void* pin(std::size_t bytes) {
  constexpr std::size_t page = 4096, huge_page = std::size_t{2} << 20;
  const std::size_t unit = bytes < huge_page ? page : huge_page, size = (bytes + unit - 1) / unit * unit;
  std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(unit, size), &std::free);
  cuda_check(memory ? cudaSuccess : cudaErrorMemoryAllocation, "allocate memory of the host");
  if (unit == huge_page) madvise(memory.get(), size, MADV_HUGEPAGE);  // where the kernel has any
  cuda_check(cudaHostRegister(memory.get(), size, cudaHostRegisterDefault), "pin memory of the host");
  return memory.release();
}
inline void unpin(void* memory) {
  cudaHostUnregister(memory);
  std::free(memory);
}

/// Array in pinned memory, which it owns. Contents are undefined at first.
template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::int64_t size) : size_(size) {
    if (size > 0) memory_.reset(static_cast<T*>(pin(size * sizeof(T))));
  }

  T* data() const { return memory_.get(); }
  std::int64_t size() const { return size_; }

 private:
  struct Free {
    void operator()(void* memory) const { unpin(memory); }
  };
  std::int64_t size_ = 0;
  std::unique_ptr<T, Free> memory_;
};

/// Memory resource for arrays of results, in pinned memory of the host.
class PinnedMemory final : public std::pmr::memory_resource {
 public:
  static PinnedMemory* instance() {
    static PinnedMemory memory;
    return &memory;
  }

 private:
  void* do_allocate(std::size_t bytes, std::size_t) override { return pin(bytes); }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { unpin(memory); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

/// Changes the size of an array in pinned memory; its old contents may be lost. Where its capacity is too small, a new
/// array takes its place, with a capacity of at least `room` elements. An array of sufficient capacity is not cleared
/// first: all elements would then be set to zero, and not only those beyond the old size.
template <class T>
void resize_pinned(std::pmr::vector<T>& array, std::int64_t size, std::int64_t room) {
  if (static_cast<std::size_t>(size) > array.capacity()) {
    array = std::pmr::vector<T>(array.get_allocator());
    array.reserve(static_cast<std::size_t>(std::max(size, room)));
  }
  array.resize(static_cast<std::size_t>(size));
}

}  // namespace polhode
