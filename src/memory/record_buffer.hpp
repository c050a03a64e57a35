// Records in memory.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

  /// Gives the system back the pages of a part of a buffer that will not be read any more: of a run of bytes from
  /// `first` on, bytes begin, ..., end - 1, where those before have been given back.
  static void give_back(const std::byte* first, std::size_t begin, std::size_t end) {
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(first);
    const std::uintptr_t from = std::max((address + page - 1) / page, (address + begin) / page) * page,
                         to = (address + end) / page * page;
    if (to > from) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
  }

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
