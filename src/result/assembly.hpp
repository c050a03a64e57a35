// Puts a result together from what a run has left: arrays by their names, in a file or in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "backend/batch.hpp"
#include "result/result_writer.hpp"
#include "result/run_description.hpp"

namespace polhode {

inline constexpr int result_schema = 1;

/// Records of one kind (records.hpp), one after another.
struct Records {
  std::string source;  ///< for messages: the file they are in
  std::size_t record_bytes = 0;
  std::span<const std::byte> bytes = {};

  std::int64_t count() const { return record_bytes > 0 ? static_cast<std::int64_t>(bytes.size() / record_bytes) : 0; }
  /// Of records that consist of numbers.
  std::span<const double> numbers() const {
    return {reinterpret_cast<const double*>(bytes.data()), bytes.size() / sizeof(double)};
  }
};

/// What goes into a result.
struct RunResult {
  const RunDescription& description;
  BatchShape ensemble;
  std::int64_t slice;               ///< trajectories of every slice but the last, which follow one another
  std::span<const double> initial;  ///< states at step 0, [n][dim]
  Records final;                    ///< final batches of the slices
  Records section;     ///< of a slice in any order of trajectories, each with its points in the order of steps
  Records snapshots;   ///< all but the initial state
  Records statistics;  ///< the start's first; of a run with statistics
};

/// Where these records belong in the result, if they have one rank's trajectories only.
struct Share {
  std::int64_t trajectories, points;        ///< of all ranks
  std::int64_t first, first_point;          ///< of this one
  std::span<const double> statistics = {};  ///< the records of all ranks, where the result is created
};

/// InputError where there are not the records that there must be at the end of a run.
void check_records(const RunResult& result);

/// All of it, once the records have been checked. Takes 8 bytes per section point of a slice and some blocks of memory,
/// beside the records.
void write_result(GroupWriter& root, const RunResult& result);

/// Everything but the arrays that have rows for trajectories or section points; these are created.
void create_shared(GroupWriter& root, const RunResult& result, const Share& share);
/// Writes those rows of these arrays that are this rank's.
void fill_shared(GroupWriter& root, const RunResult& result, const Share& share);

}  // namespace polhode
