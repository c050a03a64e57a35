// FILE.h5.part/: what a run has produced before its result file is assembled.
//
//     lock         held by the writing process
//     section-0,.. journal of section points        snapshots    journal of snapshots
//     final        journal of final batches          statistics   journal of statistics
//     checkpoint   the latest one                    result.h5    while it is assembled
//     replace      present if the result may replace a FILE.h5, also after a --resume
//     longer       present if the result replaces the FILE.h5 from the end of which the run goes on
//     rank-1, ...  folders of the other ranks of a shared run, with their journals and checkpoints
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "output/checkpoint.hpp"
#include "output/journal.hpp"
#include "output/posix_file.hpp"
#include "output/section_journal.hpp"
#include "parallel/ranks.hpp"
#include "result/initial_rows.hpp"
#include "result/run_description.hpp"
#include "result/sink.hpp"

namespace polhode {

class PartFolder final : public Sink {
 public:
  /// Treatment of an existing FILE.h5 or FILE.h5.part. refuse: neither may be there; replace: the run starts anew and
  /// replaces both; resume: the run goes on from FILE.h5.part; go_on: it goes on from the end of the run in FILE.h5.
  enum class Existing { refuse, replace, resume, go_on };

  /// Treatment that --resume means: go_on where FILE.h5 exists and FILE.h5.part does not, else resume.
  static Existing to_resume(const std::filesystem::path& file);
  /// Whether the run that --resume continues is a longer one, which goes on from the end of the run in `file`.
  static bool goes_on(const std::filesystem::path& file);

  /// Checks for problems before anything is written: throws InputError about existing or missing files, IoError about a
  /// folder that is missing or not writable. dry: nothing will be written, so a .part folder may be there.
  static void check_output(const std::filesystem::path& file, Existing existing, bool dry = false);
  /// Whether there is a folder for the result `file`: of a run that was interrupted, or is going on.
  static bool is_begun(const std::filesystem::path& file);
  /// Bytes of the files in the folder for the result `file`, those of all ranks; 0 without one.
  static double bytes_of(const std::filesystem::path& file);
  /// Checkpoint of a rank in the folder for the result `file`, to compare its run with this one before anything is
  /// changed; nullopt if none was written yet. Not to continue from, since another process may be writing: resume() has
  /// the one that was read under the lock. Throws InputError if the checkpoint is damaged.
  static std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& file, int rank = 0);

  /// Starts or resumes the run whose result is `file`, or a rank's share of it: `layout` is that of the share. The
  /// first rank must construct its folder first, because it contains the others. Throws InputError if the folder exists
  /// and must not, if another process is writing it, or if its checkpoint or journals are damaged or do not fit
  /// `layout`; IoError if it cannot be written. If the constructor fails it leaves no new folder. identity: description
  /// of the run, which must be the same when it is resumed; the caller compares it.
  PartFolder(const std::filesystem::path& file, Existing existing, const RunLayout& layout, std::string identity,
             int rank = 0);

  /// Layout that the constructor was given, but with the size of slices of a run that is resumed.
  const RunLayout& layout() const override { return layout_; }

  std::optional<ResumePoint> resume() override;

  void append(const SectionPoints& points) override;
  void append_snapshots(std::span<const double> snapshots) override;
  void append_statistics(std::span<const double> record) override;
  void append_final(const Batch& slice) override;
  void for_each_final(const std::function<void(const Batch&)>& visit) const override;
  bool keeps_checkpoints() const override { return true; }
  void write_checkpoint(ResumePoint point) override;
  /// Writes the result file from the journals, then removes the folder. If that fails, --resume can still write the
  /// file if there is a checkpoint after the last step. initial: states at step 0.
  void finish(const RunDescription& description, const InitialRows& initial);
  /// Writes the result file together with the other ranks (collective), then removes the folder; `initial` has the
  /// states of this rank's share.
  void finish(const RunDescription& description, const InitialRows& initial, Ranks& ranks);
  /// Bytes of the files in this rank's folder, without those in the folders of other ranks.
  double bytes() const;
  /// Whether the folder contains data that must not be lost.
  bool resumable() const { return resumable_; }
  /// Removes the folder if there is nothing in it to resume from.
  void discard();

 private:
  void open(Existing existing);
  /// Number of trajectories in the slice being written, the first without a final batch.
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
  std::optional<SectionJournal> section_;  ///< not empty after construction, like the next two
  std::optional<Journal> snapshots_, final_;
  std::optional<Journal> statistics_;  ///< only for a run with statistics
  std::optional<Checkpoint> checkpoint_;
  bool resumable_;
};

}  // namespace polhode
