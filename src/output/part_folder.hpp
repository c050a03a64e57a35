// FILE.h5.part/: what a run has produced until its result file can be assembled.
//
//     lock         held by the process that writes
//     section      journal of section points        snapshots    journal of snapshots
//     statistics   journal of statistics
//     checkpoint   the last one                      result.h5    being assembled
//     replace      there if the result may replace a FILE.h5, also after a --resume
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "backend/backend.hpp"
#include "output/checkpoint.hpp"
#include "output/journal.hpp"
#include "output/posix_file.hpp"
#include "output/run_description.hpp"

namespace polhode {

class PartFolder {
 public:
  /// What to do about a FILE.h5 or FILE.h5.part that is there already.
  enum class Existing { refuse, replace, resume };

  /// Says before anything is written what would go wrong: an InputError about files that are there or missing, an
  /// IoError about a folder that cannot be written.
  static void check_output(const std::filesystem::path& file, Existing existing);
  /// The checkpoint to resume from, for comparison before anything is changed; nothing if the run ended before its
  /// first. To go on from, take the one below: it is read once no other process can write.
  static std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& file);

  /// Starts or takes up the run of n >= 1 trajectories whose result is `file`; statistics_bytes: of a record of its
  /// statistics, if it has them. InputError if another process is writing it. A constructor that fails leaves no new
  /// folder.
  PartFolder(const std::filesystem::path& file, Existing existing, const BatchShape& shape,
             std::optional<std::size_t> statistics_bytes = {});

  /// Where the run is to go on; nothing if it starts at step 0. Once.
  std::optional<Checkpoint> take_checkpoint() { return std::exchange(checkpoint_, std::nullopt); }

  void append(const SectionPoints& points);
  void append_snapshots(std::span<const double> snapshots);  ///< [t][dim + n_invariants][n]
  void append_statistics(std::span<const double> record);
  /// Makes everything so far part of the run. The journals' lengths are filled in.
  void write_checkpoint(const CheckpointView& checkpoint);
  /// Writes the result file from the journals, then removes the folder. If it fails, a checkpoint after the last step
  /// is what keeps the run from being lost.
  void finish(const RunDescription& description, const Batch& initial, const Batch& final);
  /// Removes the folder again if it was started by this object and there is nothing to resume from.
  void discard();

 private:
  void open(Existing existing, const BatchShape& shape, std::optional<std::size_t> statistics_bytes);

  std::filesystem::path file_, folder_;
  PosixFile lock_;
  std::optional<Journal> section_, snapshots_;  ///< open once the constructor is done
  std::optional<Journal> statistics_;           ///< of a run with statistics
  std::optional<Checkpoint> checkpoint_;
  bool resumable_;  ///< there is something in the folder that must not be lost
};

}  // namespace polhode
