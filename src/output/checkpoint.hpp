// Where a run can be taken up again. A checkpoint replaces the one before it as a whole or not at all, and one that was
// damaged is recognised.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "backend/batch.hpp"

namespace polhode {

struct Checkpoint {
  std::int64_t step = 0;                                   ///< completed steps of the run
  std::int64_t section_records = 0, snapshot_records = 0;  ///< of the journals that belong to it
  std::string identity;                                    ///< what a run must agree in to go on from here
  Batch batch;
};

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
/// InputError if the file is missing, foreign, of another version, truncated or damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace polhode
