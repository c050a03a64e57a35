// State from which a run can be resumed. A checkpoint replaces the previous one as a whole or not at all, and a damaged
// one is recognised.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "output/section_journal.hpp"
#include "result/sink.hpp"

namespace polhode {

/// Lengths of the parts of the journals that belong to a checkpoint.
struct JournalRecords {
  SectionLength section;
  std::int64_t snapshots = 0, statistics = 0, final = 0;  ///< numbers of records
  bool operator==(const JournalRecords&) const = default;
};

/// Checkpoint of a run, or of a rank's share of it. The slice that is not complete begins with trajectory
/// point.position.first. The batch is empty at the end of the run, and at the beginning of a slice, whose states are
/// then those of the starts, or the last ones of the run that this one goes on from.
struct Checkpoint {
  std::int64_t trajectories = 0;  ///< trajectories of the run or share
  std::int64_t slice = 0;         ///< trajectories per slice; the last may have fewer
  JournalRecords records = {};
  std::string identity;  ///< description of the run, which must be the same when it is resumed
  ResumePoint point = {};
};

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
/// Reads a checkpoint. Throws InputError if the file is missing, not a checkpoint, of another version, truncated or
/// damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace polhode
