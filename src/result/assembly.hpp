// Assembles a result from the records of a run: arrays by their names, in a file or in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backend/batch.hpp"
#include "result/initial_rows.hpp"
#include "result/records.hpp"
#include "result/result_writer.hpp"
#include "result/run_description.hpp"

namespace polhode {

inline constexpr int result_schema = 1;

/// Content of a result, or of one rank's share of it.
struct RunRecords {
  const RunDescription& description;
  BatchShape ensemble;
  std::int64_t slice;            ///< trajectories per slice; the last slice may have fewer
  InitialRows initial;           ///< states at step 0
  Records final;                 ///< final batches of the slices
  std::vector<Records> section;  ///< blocks of section points (section_blocks.hpp)
  Records snapshots;             ///< all but the initial state
  Records statistics;            ///< those of the start first; only for a run with statistics
};

/// Sizes of a result, for which its arrays are made: the trajectories and points of all ranks.
struct Totals {
  std::int64_t trajectories = 0, points = 0;
  std::int64_t slice = 0;
  std::span<const double> statistics = {};  ///< the records of all ranks
};

/// Position of a share in the result: its first trajectory and section point.
struct Position {
  std::int64_t trajectory = 0, point = 0;
};

/// Number of section points, from the counts of the trajectories; 0 if points are not stored.
std::int64_t count_points(const RunRecords& result);

/// Throws InputError if the numbers of records are not those of a complete run.
void check_records(const RunRecords& result);

/// Creates groups, arrays and attributes, and writes everything but the rows of trajectories and section points.
void lay_out(GroupWriter& root, const RunDescription& run, const Totals& totals);

/// Writes the rows of trajectories and section points, from records that check_records() accepts, on `threads` threads;
/// with one, the rows of each array in their order. A thread takes memory for some blocks (assembly_blocks.hpp), and 72
/// bytes for each trajectory of a group (section_blocks.hpp).
void fill_rows(const FindRows& find, const RunRecords& result, const Position& position, std::int64_t threads);

}  // namespace polhode
