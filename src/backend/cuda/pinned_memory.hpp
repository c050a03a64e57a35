// Pinned memory of the host, to and from which a device copies by itself and at the full rate of the bus. Taking it is
// slow, and so is giving it back: once for a run, as far as its size is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>

#include "backend/cuda/check.hpp"

namespace polhode {

inline void* pin(std::size_t bytes) {
  void* memory = nullptr;
  cuda_check(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), "pin memory of the host");
  return memory;
}

/// Owning. Contents are undefined at first.
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
    void operator()(void* memory) const { cudaFreeHost(memory); }
  };
  std::int64_t size_ = 0;
  std::unique_ptr<T, Free> memory_;
};

/// For arrays of results.
class PinnedMemory final : public std::pmr::memory_resource {
 public:
  static PinnedMemory* instance() {
    static PinnedMemory memory;
    return &memory;
  }

 private:
  void* do_allocate(std::size_t bytes, std::size_t) override { return pin(bytes); }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { cudaFreeHost(memory); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

/// Changes the size of an array in pinned memory, whose contents are lost. Not cleared first, since then all of it
/// would be set to zero; if it has to grow, it is not copied either.
template <class T>
void resize_pinned(std::pmr::vector<T>& array, std::int64_t size) {
  const auto room = static_cast<std::size_t>(size);
  if (room > array.capacity()) {
    array = std::pmr::vector<T>(array.get_allocator());
    array.reserve(room);
  }
  array.resize(room);
}

}  // namespace polhode
