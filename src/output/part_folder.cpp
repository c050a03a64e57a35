#include "output/part_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <string>
#include <system_error>
#include <vector>

#include "backend/consistency.hpp"
#include "contract.hpp"
#include "output/assembly.hpp"
#include "output/failure.hpp"
#include "polhode/method/status.hpp"
#include "result/final_records.hpp"
#include "result/records.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;
using Existing = PartFolder::Existing;

constexpr const char* lock_name = "lock";
constexpr const char* snapshots_name = "snapshots";
constexpr const char* statistics_name = "statistics";
constexpr const char* final_name = "final";
constexpr const char* checkpoint_name = "checkpoint";
constexpr const char* result_name = "result.h5";
constexpr const char* replace_name = "replace";
constexpr const char* longer_name = "longer";

constexpr const char* rank_name = "rank-";

Path part_of(const Path& file, int rank = 0) {
  Path folder = file;
  folder += ".part";
  if (rank > 0) folder /= fmt::format("{}{}", rank_name, rank);
  return folder;
}

/// Whether there is anything at a path: a file, a folder, or a link, even one that leads nowhere.
bool is_there(const Path& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

/// Whether the result in a folder may replace an existing FILE.h5.
bool may_replace(const Path& folder) { return is_there(folder / replace_name) || is_there(folder / longer_name); }

InputError part_exists(const Path& folder) {
  return InputError(
      fmt::format("'{}' already exists (a run was interrupted or is going on). Use --resume to continue it or --force "
                  "to start again.",
                  folder.string()));
}

InputError in_use(const Path& file) {
  return InputError(
      fmt::format("cannot write '{}' (another process is writing it). Wait for it or choose another "
                  "output with -o.",
                  file.string()));
}

void remove_folder(const Path& folder);

/// Whether an entry is a folder "rank-N".
bool is_of_a_rank(const std::filesystem::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  const std::string_view prefix = rank_name;
  std::error_code ignored;
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos && entry.is_directory(ignored);
}

/// Records of a journal, mapped into memory during the lifetime of this object.
class JournalContent {
 public:
  explicit JournalContent(const Journal& journal) : journal_(journal), mapping_(journal.map()) {}

  Records records() const {
    const std::size_t bytes = static_cast<std::size_t>(journal_.records()) * journal_.record_bytes();
    return {journal_.path().string(), journal_.record_bytes(), {mapping_.data(), bytes}};
  }

 private:
  const Journal& journal_;
  Mapping mapping_;
};

/// Removes from a folder all files that this program makes but the lock, and the folders of ranks (remove_folder()).
/// The files that permit to replace FILE.h5, `replace` and `longer`, are removed first, so that nothing that an
/// interruption leaves can replace it. Throws IoError where a file cannot be removed.
void remove_content(const Path& folder) {
  std::vector<std::string> names{replace_name,    longer_name,      snapshots_name, statistics_name, final_name,
                                 checkpoint_name, "checkpoint.new", result_name,    "section"};  // of version 0.1
  for (int i = 0; i < section_stripes; ++i) names.push_back(SectionJournal::name(i));
  for (const std::string& name : names) {
    std::error_code error;
    std::filesystem::remove(folder / name, error);
    if (error) throw cannot_write(folder / name, error.value());
  }
  std::error_code ignored;
  std::vector<Path> ranks;  // also those of a run with more ranks
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (is_of_a_rank(entry)) ranks.push_back(entry.path());
  for (const Path& rank : ranks) remove_folder(rank);
}

/// Removes a folder, or as much of it as possible; files that are not this program's stay, and the folder with them.
/// Throws nothing: the result is in place, or an error is already being reported.
void remove_folder(const Path& folder) {
  std::error_code ignored;
  try {
    remove_content(folder);
  } catch (const IoError&) {
    return;
  }
  std::filesystem::remove(folder / lock_name, ignored);
  std::filesystem::remove(folder, ignored);
}

/// Bytes of the files that an iterator comes to; files that vanish meanwhile are not counted.
template <class Iterator>
double bytes_in(Iterator entries) {
  double bytes = 0;
  std::error_code problem;
  for (; entries != Iterator(); entries.increment(problem)) {
    const std::uintmax_t size = entries->is_regular_file(problem) ? entries->file_size(problem) : 0;
    if (!problem) bytes += static_cast<double>(size);
  }
  return bytes;
}

/// Locks the folder of the result `file`, or for rank > 0 the folder of that rank in it; returns the lock. Creates the
/// folder if it is missing, but not that of rank 0 for Existing::resume. Throws InputError if the folder of rank 0 must
/// be new and is not, or if another process has the lock; IoError if the folder or the lock cannot be made.
PosixFile lock_folder(const Path& file, Existing existing, int rank) {
  const Path folder = part_of(file, rank);
  bool created = false;
  if (rank > 0) {  // inside a folder that is already locked
    created = ::mkdir(folder.c_str(), 0777) == 0;
    if (!created && errno == ENOENT)
      throw IoError(
          fmt::format("cannot find '{}' (another rank has just made it). Write to a folder that all machines "
                      "share.",
                      part_of(file).string()));
    if (!created && errno != EEXIST) throw cannot_write(file, errno);
  } else if (existing != Existing::resume) {
    created = ::mkdir(folder.c_str(), 0777) == 0;
    if (!created && errno != EEXIST) throw cannot_write(file, errno);
    if (!created && existing != Existing::replace) throw part_exists(folder);
  }
  std::optional<PosixFile> lock;
  try {
    lock.emplace(folder / lock_name, PosixFile::Mode::open_or_create);
    if (!lock->try_lock()) throw in_use(file);
  } catch (const IoError&) {  // without a lock; a folder with files of another process is not removed
    std::error_code ignored;
    if (created && lock) std::filesystem::remove(lock->path(), ignored);
    if (created) std::filesystem::remove(folder, ignored);
    throw;
  }
  // A process that has just finished may have removed the lock since the lines above.
  struct stat held, named;
  if (::fstat(lock->descriptor(), &held) != 0 || ::stat(lock->path().c_str(), &named) != 0 ||
      held.st_ino != named.st_ino) {
    throw in_use(file);
  }
  return *std::move(lock);
}

}  // namespace

bool PartFolder::is_begun(const Path& file) { return is_there(part_of(file)); }

PartFolder::Existing PartFolder::to_resume(const Path& file) {
  return is_begun(file) || !is_there(file) ? Existing::resume : Existing::go_on;
}

bool PartFolder::goes_on(const Path& file) {
  return to_resume(file) == Existing::go_on || is_there(part_of(file) / longer_name);
}

double PartFolder::bytes_of(const Path& file) {
  std::error_code ignored;
  return bytes_in(std::filesystem::recursive_directory_iterator(part_of(file), ignored));
}

double PartFolder::bytes() const {
  std::error_code ignored;
  return bytes_in(std::filesystem::directory_iterator(folder_, ignored));
}

void PartFolder::check_output(const Path& file, Existing existing, bool dry) {
  const Path folder = part_of(file), parent = folder_of(file);
  const std::string name = file.string();
  if (!file.has_filename()) {
    throw InputError(fmt::format("no output file (the name '{}' is that of a folder). Give the name of a file.", name));
  }
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(file, ignored);
  // A link to a file is replaced, one to a pipe or a device, as /dev/stdout is, is meant as that.
  if (const auto target = std::filesystem::status(file, ignored); exists(target) && !is_regular_file(target)) {
    throw InputError(fmt::format("cannot write '{}' (it is not a regular file). Choose another output with -o.", name));
  }
  if (const auto part = std::filesystem::status(folder, ignored); exists(part) && !is_directory(part)) {
    throw InputError(
        fmt::format("cannot write '{}' (it is in the way and not a folder). Move it away.", folder.string()));
  }
  if (existing == Existing::resume && exists(status) && !may_replace(folder)) {
    throw InputError(
        fmt::format("cannot resume '{}' (the file already exists). Use --force to start again or choose "
                    "another output with -o.",
                    name));
  }
  if (existing == Existing::resume && !is_there(folder)) {
    throw InputError(
        fmt::format("nothing to resume ('{}' does not exist). Leave out --resume to start the run.", folder.string()));
  }
  if (existing == Existing::refuse && !dry && is_there(folder)) throw part_exists(folder);
  if (existing == Existing::refuse && exists(status)) {
    throw InputError(
        fmt::format("output '{}' already exists (nothing has been written). Use --force to replace it or "
                    "choose another with -o.",
                    name));
  }
  const Path& written = existing == Existing::resume ? folder : parent;
  if (!std::filesystem::is_directory(parent, ignored)) throw cannot_write(file, is_there(parent) ? ENOTDIR : ENOENT);
  if (::access(parent.c_str(), W_OK | X_OK) != 0 || ::access(written.c_str(), W_OK | X_OK) != 0) {
    throw cannot_write(file, errno);
  }
}

std::optional<Checkpoint> PartFolder::read_checkpoint(const Path& file, int rank) {
  const Path path = part_of(file, rank) / checkpoint_name;
  if (!is_there(path)) return std::nullopt;
  return polhode::read_checkpoint(path);
}

PartFolder::PartFolder(const Path& file, Existing existing, const RunLayout& layout, std::string identity, int rank)
    : file_(file),
      folder_(part_of(file, rank)),
      rank_(rank),
      layout_(layout),
      identity_(std::move(identity)),
      lock_(lock_folder(file, existing, rank)),
      resumable_(existing == Existing::resume) {
  try {
    open(existing);
  } catch (...) {
    discard();
    throw;
  }
}

void PartFolder::open(Existing existing) {
  if (existing == Existing::replace) remove_content(folder_);
  if (rank_ == 0 && (existing == Existing::replace || existing == Existing::go_on))
    PosixFile(folder_ / (existing == Existing::replace ? replace_name : longer_name), PosixFile::Mode::create);
  sync_folder(folder_of(folder_));
  section_.emplace(folder_);
  snapshots_.emplace(folder_ / snapshots_name, snapshot_record_bytes(layout_));
  final_.emplace(folder_ / final_name, final_record_bytes(layout_.final_shape()));
  if (layout_.statistics_bytes > 0) statistics_.emplace(folder_ / statistics_name, layout_.statistics_bytes);
  if (existing == Existing::resume) checkpoint_ = read_checkpoint(file_, rank_);
  if (checkpoint_) {
    const std::int64_t first = checkpoint_->point.position.first, slice = checkpoint_->slice;
    const Batch& batch = checkpoint_->point.batch;
    BatchShape expected = layout_;
    expected.n = checkpoint_->point.position.step > layout_.begin ? std::min(slice, layout_.n - first) : 0;
    if (checkpoint_->trajectories != layout_.n || slice <= 0 || first < 0 || first > layout_.n ||
        batch.shape() != expected) {
      throw InputError(
          fmt::format("cannot resume '{}' (its states are [{}, {}] with {} invariants instead of [{}, {}] with {}). "
                      "Resume with the "
                      "configuration it was started with, or use --force to start again.",
                      file_.string(), checkpoint_->trajectories, batch.dim, batch.n_invariants, layout_.n, layout_.dim,
                      layout_.n_invariants));
    }
    layout_.slice = slice;
  }
  const JournalRecords records = checkpoint_ ? checkpoint_->records : JournalRecords{};
  section_->truncate_to(records.section);
  snapshots_->truncate_to(records.snapshots);
  final_->truncate_to(records.final);
  if (statistics_) statistics_->truncate_to(records.statistics);
}

void PartFolder::append(const SectionPoints& points) {
  POLHODE_EXPECT(points.dim == layout_.dim && are_complete(points, final_->records(), slice_size()));
  section_->append(points, trajectories_of_group(layout_.slice), layout_.section_columns);
}

void PartFolder::append_snapshots(std::span<const double> snapshots) {
  POLHODE_EXPECT(snapshots.size_bytes() % (static_cast<std::size_t>(slice_size()) * snapshots_->record_bytes()) == 0);
  snapshots_->append(std::as_bytes(snapshots));
}

void PartFolder::append_statistics(std::span<const double> record) {
  POLHODE_EXPECT(statistics_ && record.size_bytes() == layout_.statistics_bytes);
  statistics_->append(std::as_bytes(record));
}

void PartFolder::append_final(const Batch& slice) {
  POLHODE_EXPECT(is_complete(slice) && slice.shape() == without_states_unless(layout_.final_states, slice_shape()));
  final_->append_parts(final_records(slice));
}

void PartFolder::for_each_final(const std::function<void(const Batch&)>& visit) const {
  const JournalContent content(*final_);
  polhode::for_each_final(content.records().bytes, layout_.final_shape(), layout_.slice, [&](const Batch& batch) {
    if (std::ranges::max(batch.code) >= n_statuses)
      throw cannot_read(final_->path(), "the journal is damaged: it has an unknown status",
                        "Use --force to start again.");
    visit(batch);
  });
}

std::optional<ResumePoint> PartFolder::resume() {
  if (!checkpoint_) return std::nullopt;
  ResumePoint point = std::move(checkpoint_->point);
  checkpoint_.reset();
  return point;
}

void PartFolder::write_checkpoint(ResumePoint point) {
  section_->sync();
  snapshots_->sync();
  final_->sync();
  if (statistics_) statistics_->sync();
  const RunPosition& position = point.position;
  const Batch& batch = point.batch;
  POLHODE_EXPECT(position.first == final_->records() && position.step >= 0 && !identity_.empty());
  POLHODE_EXPECT(batch.n == 0 ? position.step == layout_.begin : is_complete(batch) && batch.shape() == slice_shape());
  polhode::write_checkpoint(folder_ / checkpoint_name,
                            {.trajectories = layout_.n,
                             .slice = layout_.slice,
                             .records = {.section = section_->length(),
                                         .snapshots = snapshots_->records(),
                                         .statistics = statistics_ ? statistics_->records() : 0,
                                         .final = final_->records()},
                             .identity = identity_,
                             .point = std::move(point)});
  resumable_ = true;
}

void PartFolder::finish(const RunDescription& description, const InitialRows& initial) {
  Ranks alone;
  finish(description, initial, alone);
}

void PartFolder::finish(const RunDescription& description, const InitialRows& initial, Ranks& ranks) {
  ranks.together("output", [&] {
    if (ranks.first() && is_there(file_) && !may_replace(folder_))
      throw InputError(
          fmt::format("cannot write '{}' (it has appeared during the run). Move it away and run again with "
                      "--resume.",
                      file_.string()));
  });
  const Path result = part_of(file_) / result_name;
  try {
    std::optional<JournalContent> final, snapshots, statistics;
    std::deque<JournalContent> section;
    ranks.together("content", [&] {
      final.emplace(*final_);
      for (const Journal& stripe : section_->stripes()) section.emplace_back(stripe);
      snapshots.emplace(*snapshots_);
      if (statistics_) statistics.emplace(*statistics_);
    });
    RunRecords content{.description = description,
                       .ensemble = layout_,
                       .slice = layout_.slice,
                       .initial = initial,
                       .final = final->records(),
                       .section = {},
                       .snapshots = snapshots->records(),
                       .statistics = statistics ? statistics->records() : Records{}};
    for (const JournalContent& stripe : section) content.section.push_back(stripe.records());
    assemble(result, content, ranks, is_there(part_of(file_) / longer_name) ? file_ : Path());
  } catch (...) {
    std::error_code ignored;
    if (ranks.first()) std::filesystem::remove(result, ignored);
    throw;
  }
  ranks.together("rename", [&] {
    if (ranks.first()) rename_durably(result, file_);
  });
  // The first rank's folder is removed last, because it contains the others.
  if (!ranks.first()) remove_folder(folder_);
  ranks.barrier();
  if (ranks.first()) remove_folder(folder_);
}

void PartFolder::discard() {
  if (!resumable_) remove_folder(folder_);
}

}  // namespace polhode
