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
  std::vector<Records> section;  ///< blocks of section points, [stripe] (section_blocks.hpp)
  Records snapshots;             ///< snapshots, without the states at step 0, which `initial` has
  Records statistics;            ///< statistics of each slice, from the start on; empty for a run without them
  /// Function that is told of records that will not be read any more: of a run of bytes from `first` on, of which bytes
  /// before `begin` have been told of, bytes begin, ..., end - 1. Null: nobody is told.
  void (*give_back)(const std::byte* first, std::size_t begin, std::size_t end) = nullptr;
};

/// Numbers of the trajectories and section points of all ranks together, which are the sizes of the arrays of a result.
struct Totals {
  std::int64_t trajectories = 0, points = 0;
  std::int64_t slice = 0;                   ///< trajectories per slice; the last slice may have fewer
  std::span<const double> statistics = {};  ///< records of statistics of all ranks, [slices][times]
};

/// Position of a share in the result: the indices there of its first trajectory and its first section point.
struct Position {
  std::int64_t trajectory = 0, point = 0;
};

/// Number of section points of a share, summed over the counts of its trajectories; 0 if points are not stored.
std::int64_t count_points(const RunRecords& result);

/// Throws InputError if the numbers of records are not those of a complete run, or blocks of section points are
/// damaged.
void check_records(const RunRecords& result);

/// Creates groups, arrays and attributes, and writes everything but the rows of trajectories and section points.
void lay_out(GroupWriter& root, const RunDescription& run, const Totals& totals);

/// Writes the rows of trajectories and section points, from records that check_records() accepts, on `threads` threads;
/// with one thread, each array in the order of its rows, or of its chunks where it has a dimension of times; but
/// section points only if the result is compressed. A thread needs memory for some blocks (assembly_blocks.hpp), and 72
/// bytes for each trajectory of a group (section_blocks.hpp); the threads together hold 2^22 section points, and each
/// the rest of a turn that it has begun; if the result is compressed, each all points of a group. Throws InputError
/// where the records are damaged.
void fill_rows(const FindRows& find, const RunRecords& result, const Position& position, std::int64_t threads);

}  // namespace polhode
