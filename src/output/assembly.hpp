// Puts a result file together from what a run has left in its part folder.
#pragma once

#include <filesystem>
#include <span>

#include "backend/batch.hpp"
#include "output/h5.hpp"
#include "output/journal.hpp"
#include "output/run_description.hpp"

namespace polhode {

inline constexpr int result_schema = 1;

/// Where what is in the journals belongs in the file, if they have one rank's trajectories only.
struct Share {
  std::int64_t trajectories, points;        ///< of all ranks
  std::int64_t first, first_point;          ///< of this one
  std::span<const double> statistics = {};  ///< the records of all ranks, where the file is created
};

/// What goes into a result file.
struct RunResult {
  const RunDescription& description;
  BatchShape ensemble;
  std::int64_t slice;               ///< trajectories of every slice but the last, which follow one another
  std::span<const double> initial;  ///< states at step 0, [n][dim]
  const Journal& final;             ///< final batches of the slices
  const Journal& section;     ///< of a slice in any order of trajectories, each with its points in the order of steps
  const Journal& snapshots;   ///< all but the initial state
  const Journal* statistics;  ///< the start's first; of a run with statistics
};

/// InputError where a journal does not hold what it must at the end of a run.
void check_journals(const RunResult& result);

/// The records of a journal that consist of numbers.
std::span<const double> numbers_of(const Journal& journal, const Mapping& records);

/// Creates the file of all ranks with everything but the datasets that have rows for trajectories or section points.
/// For the first rank.
void create_shared(const std::filesystem::path& path, const RunResult& result, const Share& share);
/// Writes those rows of these datasets that are this rank's.
void fill_shared(h5::File& file, const RunResult& result, const Share& share);

/// Writes the file and waits until it is on the disk. Takes 8 bytes per section point of a slice and some blocks of
/// memory, beside pages of the journals that the system can drop.
void assemble(const std::filesystem::path& path, const RunResult& result);

}  // namespace polhode
