// Checksum that tells whether bytes have changed: a guard against damage, not against forgery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace polhode {

/// FNV-1a over words of 8 bytes, the last word of each add() filled up with zeros. Every word maps the sum one to one,
/// so damage within one word is always seen.
class Checksum {
 public:
  Checksum() = default;
  /// Checksum that goes on from the value `before`.
  explicit Checksum(std::uint64_t before) : value_(before) {}
  void add(std::span<const std::byte> bytes) {
    for (; bytes.size() >= 8; bytes = bytes.subspan(8)) add_word(bytes.data(), 8);
    if (!bytes.empty()) add_word(bytes.data(), bytes.size());
  }
  std::uint64_t value() const { return value_; }

 private:
  void add_word(const std::byte* bytes, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    value_ = (value_ ^ word) * 0x100000001b3u;
  }

  std::uint64_t value_ = 0xcbf29ce484222325u;
};

inline std::uint64_t checksum(std::span<const double> values) {
  Checksum sum;
  sum.add(std::as_bytes(values));
  return sum.value();
}

}  // namespace polhode
