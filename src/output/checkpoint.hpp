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

/// A checkpoint to be written, of a batch and a text that are someone else's.
struct CheckpointView {
  std::int64_t step = 0;                                                           ///< completed steps of the run
  std::int64_t section_records = 0, snapshot_records = 0, statistics_records = 0;  ///< of the journals
  std::string_view identity;  ///< what a run must agree in to go on from here
  const Batch& batch;
  std::span<const std::int64_t> counts = {};  ///< what the run has counted, if it counts
};

/// The same with its own batch and text, as it is read.
struct Checkpoint {
  std::int64_t step = 0;
  std::int64_t section_records = 0, snapshot_records = 0, statistics_records = 0;
  std::string identity;
  Batch batch;
  std::vector<std::int64_t> counts;

  operator CheckpointView() const {
    return {step, section_records, snapshot_records, statistics_records, identity, batch, counts};
  }
};

void write_checkpoint(const std::filesystem::path& path, const CheckpointView& checkpoint);
/// InputError if the file is missing, foreign, of another version, truncated or damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace polhode
