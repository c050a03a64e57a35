// Assembles a result from the records of a run: arrays by their names, in a file or in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "backend/batch.hpp"
#include "result/initial_rows.hpp"
#include "result/result_writer.hpp"
#include "result/run_description.hpp"

namespace polhode {

inline constexpr int result_schema = 1;

/// Records of one kind (records.hpp), one after another.
struct Records {
  std::string source;  ///< the file that contains them, for messages
  std::size_t record_bytes = 0;
  std::span<const std::byte> bytes = {};

  std::int64_t count() const { return record_bytes > 0 ? static_cast<std::int64_t>(bytes.size() / record_bytes) : 0; }
  /// The records as numbers, if they consist of numbers.
  std::span<const double> numbers() const {
    return {reinterpret_cast<const double*>(bytes.data()), bytes.size() / sizeof(double)};
  }
};

/// Content of a result.
struct RunResult {
  const RunDescription& description;
  BatchShape ensemble;
  std::int64_t slice;   ///< trajectories per slice; the last slice may have fewer
  InitialRows initial;  ///< states at step 0
  Records final;        ///< final batches of the slices
  Records section;      ///< slice by slice, trajectories in any order, the points of each in the order of steps
  Records snapshots;    ///< all but the initial state
  Records statistics;   ///< those of the start first; only for a run with statistics
};

/// Position of these records in the result, if they are those of one rank only.
struct Share {
  std::int64_t trajectories, points;        ///< numbers of all ranks
  std::int64_t first, first_point;          ///< indices of the first ones of this rank
  std::span<const double> statistics = {};  ///< the records of all ranks, for the rank that creates the result
};

/// Throws InputError if the numbers of records are not those of a complete run.
void check_records(const RunResult& result);

/// Writes the whole result, from checked records. Takes 8 bytes per section point of a slice and some blocks of memory,
/// besides the records.
void write_result(GroupWriter& root, const RunResult& result);

/// Writes everything but the arrays that have rows for trajectories or section points; these are only created.
void create_shared(GroupWriter& root, const RunResult& result, const Share& share);
/// Writes this rank's rows of those arrays.
void fill_shared(GroupWriter& root, const RunResult& result, const Share& share);

}  // namespace polhode
