// FILE.h5.part/: what a run has produced until its result file can be assembled.
//
//     lock         held by the process that writes
//     section      journal of section points        snapshots    journal of snapshots
//     final        journal of final batches          statistics   journal of statistics
//     checkpoint   the last one                      result.h5    being assembled
//     replace      there if the result may replace a FILE.h5, also after a --resume
//     rank-1, ...  the same of the other ranks of a run that is shared out: their journals and checkpoints
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "integration/sink.hpp"
#include "output/checkpoint.hpp"
#include "output/journal.hpp"
#include "output/posix_file.hpp"
#include "parallel/ranks.hpp"
#include "result/run_description.hpp"

namespace polhode {

class PartFolder final : public Sink {
 public:
  /// What to do about a FILE.h5 or FILE.h5.part that is there already.
  enum class Existing { refuse, replace, resume };

  /// Says before anything is written what would go wrong: an InputError about files that are there or missing, an
  /// IoError about a folder that cannot be written.
  static void check_output(const std::filesystem::path& file, Existing existing);
  /// The checkpoint to resume from, for comparison before anything is changed; nothing if the run ended before its
  /// first. To go on from, resume(): it is read once no other process can write.
  static std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& file, int rank = 0);

  /// Starts or takes up the run whose result is `file`, or a rank's share of it: `layout` is that of the share, and the
  /// first rank's folder, which the others' are in, comes first. InputError if another process is writing it. A
  /// constructor that fails leaves no new folder. identity: what a run must agree in to go on from its checkpoints.
  PartFolder(const std::filesystem::path& file, Existing existing, const RunLayout& layout, std::string identity,
             int rank = 0);

  /// Of the run that is resumed, or as given.
  const RunLayout& layout() const override { return layout_; }

  std::optional<Standing> resume() override;

  void append(const SectionPoints& points) override;
  void append_snapshots(std::span<const double> snapshots) override;
  void append_statistics(std::span<const double> record) override;
  void append_final(const Batch& slice) override;
  void for_each_final(const std::function<void(const Batch&)>& visit) const override;
  bool keeps_checkpoints() const override { return true; }
  void write_checkpoint(const Standing& standing) override;
  /// Writes the result file from the journals, then removes the folder. If it fails, a checkpoint after the last step
  /// is what keeps the run from being lost.
  /// initial: [n][dim].
  void finish(const RunDescription& description, std::span<const double> initial);
  /// The same on all ranks; the result and `initial` are their shares.
  void finish(const RunDescription& description, std::span<const double> initial, Ranks& ranks);
  /// Whether there is something in the folder that must not be lost.
  bool resumable() const { return resumable_; }
  /// Removes the folder again if it was started by this object and there is nothing to resume from.
  void discard();

 private:
  void open(Existing existing);
  /// Trajectories of the slice being written: the first whose final batch is not there yet.
  std::int64_t slice_size() const { return std::min(layout_.slice, layout_.n - final_->records()); }
  BatchShape slice_shape() const {
    BatchShape shape = layout_;
    shape.n = slice_size();
    return shape;
  }

  std::filesystem::path file_, folder_;
  int rank_;
  RunLayout layout_;
  std::string identity_;
  PosixFile lock_;
  std::optional<Journal> section_, snapshots_, final_;  ///< open once the constructor is done
  std::optional<Journal> statistics_;                   ///< of a run with statistics
  std::optional<Checkpoint> checkpoint_;
  bool resumable_;
};

}  // namespace polhode
