// Records in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace polhode {

/// Bytes to which more are appended. A large buffer grows by realloc, which remaps its pages without copying them, so
/// that there are never two copies.
class RecordBuffer {
 public:
  void append(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    if (size_ + bytes.size() > capacity_) grow(std::max(size_ + bytes.size(), capacity_ + capacity_ / 2));
    std::memcpy(bytes_.get() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  std::span<const std::byte> bytes() const { return {bytes_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };

  void grow(std::size_t capacity) {
    auto* const moved = static_cast<std::byte*>(std::realloc(bytes_.get(), capacity));
    if (!moved) throw std::bad_alloc();
    static_cast<void>(bytes_.release());
    bytes_.reset(moved);
    capacity_ = capacity;
  }

  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace polhode
