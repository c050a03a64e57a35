// Records that a run writes, to journals or to memory, one slice of its trajectories after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "backend/batch.hpp"
#include "backend/moment_tree.hpp"

namespace polhode {

/// Records one after another: of one kind, or blocks of section points (section_blocks.hpp).
struct Records {
  std::string source;  ///< file that contains the records, or a name of them in memory, for messages
  std::size_t record_bytes = 0;
  std::span<const std::byte> bytes = {};

  std::int64_t count() const { return record_bytes > 0 ? static_cast<std::int64_t>(bytes.size() / record_bytes) : 0; }
  /// The records as doubles, if they consist of doubles.
  std::span<const double> numbers() const {
    return {reinterpret_cast<const double*>(bytes.data()), bytes.size() / sizeof(double)};
  }
};

/// Bytes of the record of a snapshot, which is of one trajectory at one time. The records of a slice at one time are
/// stored together as doubles [dim + n_invariants][slice], states and then invariants.
constexpr std::size_t snapshot_record_bytes(const BatchShape& shape) {
  return static_cast<std::size_t>(shape.dim + shape.n_invariants) * sizeof(double);
}

/// Shape of final batches.
struct FinalShape : BatchShape {
  bool has_earlier_drift;  ///< whether the batches have Batch::earlier_drift

  FinalShape(const BatchShape& shape, bool has = false) : BatchShape(shape), has_earlier_drift(has) {}
};

/// Bytes of a final record, which is of one trajectory at its end. The records of a slice are stored together as the
/// columns of its batch, in their order, then its earlier drifts.
inline std::size_t final_record_bytes(const FinalShape& shape) {
  return carried_bytes(shape) +
         (shape.has_earlier_drift ? static_cast<std::size_t>(shape.n_invariants) : 0) * sizeof(double);
}

/// Bytes of a record of statistics, which is of one slice at one time. It consists of doubles: the number of
/// trajectories; for every observable the mean, the sum of squared deviations, the minimum and the maximum; then for
/// every observable the counts of all cells, and those below and above them.
constexpr std::size_t statistics_record_bytes(std::size_t observables, std::int64_t bins) {
  const std::size_t counts = bins > 0 ? static_cast<std::size_t>(bins) + 2 : 0;
  return (1 + observables * (4 + counts)) * sizeof(double);
}

/// Stores the moments of one observable, and the number of trajectories, in a record of statistics.
inline void put_moments(const SampleMoments& moments, std::size_t observable, std::span<double> record) {
  record[0] = moments.count;
  double* const place = &record[1 + 4 * observable];
  place[0] = moments.mean;
  place[1] = moments.squares;
  place[2] = moments.least;
  place[3] = moments.largest;
}
inline SampleMoments get_moments(std::span<const double> record, std::size_t observable) {
  const double* const place = &record[1 + 4 * observable];
  SampleMoments moments;
  moments.count = record[0];
  moments.mean = place[0];
  moments.squares = place[1];
  moments.least = place[2];
  moments.largest = place[3];
  return moments;
}

}  // namespace polhode
