// The records of the journals. A point of a section is this head, then double state[dim].
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/batch.hpp"

namespace polhode {

struct SectionRecordHead {
  std::int64_t trajectory, step;
  double theta;
};
static_assert(sizeof(SectionRecordHead) == 24);

constexpr std::size_t section_record_bytes(int dim) {
  return sizeof(SectionRecordHead) + static_cast<std::size_t>(dim) * sizeof(double);
}

/// A snapshot is kept as it comes, double [dim + n_invariants][n], states and then invariants.
constexpr std::size_t snapshot_record_bytes(const BatchShape& shape) {
  return static_cast<std::size_t>(shape.dim + shape.n_invariants) * static_cast<std::size_t>(shape.n) * sizeof(double);
}

}  // namespace polhode
