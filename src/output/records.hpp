// The records of the journals. A point of a section is this head, then double state[dim].
#pragma once

#include <cstddef>
#include <cstdint>

namespace polhode {

struct SectionRecordHead {
  std::int64_t trajectory, step;
  double theta;
};
static_assert(sizeof(SectionRecordHead) == 24);

constexpr std::size_t section_record_bytes(int dim) {
  return sizeof(SectionRecordHead) + static_cast<std::size_t>(dim) * sizeof(double);
}

/// A snapshot is kept as it comes, double state[dim][n].
constexpr std::size_t snapshot_record_bytes(int dim, std::int64_t n) {
  return static_cast<std::size_t>(dim) * static_cast<std::size_t>(n) * sizeof(double);
}

}  // namespace polhode
