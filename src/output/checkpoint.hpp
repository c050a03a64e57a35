// Where a run can be taken up again. A checkpoint replaces the one before it as a whole or not at all, and one that was
// damaged is recognised.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/batch.hpp"

namespace polhode {

/// Records of the journals that belong to a checkpoint.
struct JournalRecords {
  std::int64_t section = 0, snapshots = 0, statistics = 0, final = 0;
  bool operator==(const JournalRecords&) const = default;
};

/// A checkpoint to be written, of a batch and a text that are someone else's. The slice being integrated begins with
/// trajectory `first`. At its step 0, and at the end of the run, the batch is empty: the ensemble has its states.
struct CheckpointView {
  std::int64_t trajectories = 0;  ///< of the ensemble
  std::int64_t first = 0;
  std::int64_t slice = 0;  ///< trajectories of every slice but the last
  std::int64_t step = 0;   ///< completed steps of this slice
  JournalRecords records = {};
  std::string_view identity;  ///< what a run must agree in to go on from here
  const Batch& batch;
  std::span<const std::int64_t> counts = {};  ///< what the run has counted, if it counts
};

/// The same with its own batch and text, as it is read.
struct Checkpoint {
  std::int64_t trajectories = 0, first = 0, slice = 0, step = 0;
  JournalRecords records = {};
  std::string identity;
  Batch batch;
  std::vector<std::int64_t> counts;

  operator CheckpointView() const { return {trajectories, first, slice, step, records, identity, batch, counts}; }
};

void write_checkpoint(const std::filesystem::path& path, const CheckpointView& checkpoint);
/// InputError if the file is missing, foreign, of another version, truncated or damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace polhode
