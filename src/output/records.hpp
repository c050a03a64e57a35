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

/// Statistics of one time, all as double: how many trajectories they are of; of every observable the mean, the variance
/// (with n - 1), the minimum and the maximum; then of every observable how many are in each cell, below and above them.
constexpr std::size_t statistics_record_bytes(std::size_t observables, std::int64_t bins) {
  const std::size_t counts = bins > 0 ? static_cast<std::size_t>(bins) + 2 : 0;
  return (1 + observables * (4 + counts)) * sizeof(double);
}

}  // namespace polhode
