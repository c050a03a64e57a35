// State from which a run can be resumed. A checkpoint replaces the previous one as a whole or not at all, and a damaged
// one is recognised.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/batch.hpp"
#include "output/section_journal.hpp"

namespace polhode {

/// Lengths of the parts of the journals that belong to a checkpoint.
struct JournalRecords {
  SectionLength section;
  std::int64_t snapshots = 0, statistics = 0, final = 0;  ///< records
  bool operator==(const JournalRecords&) const = default;
};

/// A checkpoint to be written, which refers to a batch and a text of its caller. The current slice begins with
/// trajectory `first`. At step 0 of a slice, and at the end of the run, the batch is empty: the states are those of the
/// ensemble.
struct CheckpointView {
  std::int64_t trajectories = 0;  ///< trajectories of the ensemble
  std::int64_t first = 0;
  std::int64_t slice = 0;  ///< trajectories per slice; the last may have fewer
  std::int64_t step = 0;   ///< completed steps of this slice
  JournalRecords records = {};
  std::string_view identity;  ///< description of the run, which must be the same when it is resumed
  const Batch& batch;
  std::span<const std::int64_t> counts = {};  ///< counts of the run's density; empty without one
};

/// A checkpoint as read, with its own batch and text.
struct Checkpoint {
  std::int64_t trajectories = 0, first = 0, slice = 0, step = 0;
  JournalRecords records = {};
  std::string identity;
  Batch batch;
  std::vector<std::int64_t> counts;

  operator CheckpointView() const { return {trajectories, first, slice, step, records, identity, batch, counts}; }
};

void write_checkpoint(const std::filesystem::path& path, const CheckpointView& checkpoint);
/// Throws InputError if the file is missing, not a checkpoint, of another version, truncated or damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace polhode
