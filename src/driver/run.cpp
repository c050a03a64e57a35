#include "driver/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "driver/reduced_report.hpp"
#include "driver/shared_starts.hpp"
#include "integration/integration.hpp"
#include "integration/report.hpp"
#include "output/disk_room.hpp"
#include "output/finished_run.hpp"
#include "output/part_folder.hpp"

namespace polhode {
namespace {

/// Guard of the room on the disk while a run goes on: whether a result with the section points so far still fits.
/// Trajectories of other ranks are taken to find and write as much as those of this one.
class DiskGuard {
 public:
  DiskGuard(const PreparedFileRun& file_run, const PartFolder& part)
      : description_(describe(file_run, {})),
        output_(file_run.output.file),
        trajectories_(static_cast<double>(file_run.prepared.n())),
        part_(part),
        to_all_(trajectories_ / static_cast<double>(part.layout().n)) {}

  bool lets_go_on(const RunProgress& now) {
    room_ = disk_room(description_, trajectories_, to_all_ * static_cast<double>(now.points), output_,
                      to_all_ * part_.bytes());
    is_enough_ = is_enough_ && room_.suffices();
    return is_enough_;
  }
  /// Reason why the run must not go on; empty where it may.
  std::string reason() const {
    return is_enough_ ? ""
                      : fmt::format("the result would not fit on the disk: {} are still needed, and {} are free",
                                    in_bytes(room_.needed()), in_bytes(room_.free));
  }

 private:
  RunDescription description_;
  std::filesystem::path output_;
  double trajectories_;
  const PartFolder& part_;
  double to_all_;  ///< number of all trajectories over the number of this rank's
  DiskRoom room_{};
  bool is_enough_ = true;
};

/// Integrates this rank's share, from trajectory `first` on, while the other ranks integrate theirs. Ends early on all
/// ranks where it does on one. earlier: the finished run to go on from, or null.
IntegrationReport integrate_share(const PreparedRun& run, std::int64_t first, EarlierRun* earlier, PartFolder& part,
                                  Ranks& ranks, const Progress& progress) {
  IntegrationReport done;
  std::exception_ptr failure;
  try {
    const Progress together = [&](const RunProgress& now) { return progress(now) && !ranks.others_stop(); };
    if (part.layout().n > 0)
      done = integrate(run, *run.chosen.backend, part, together, first, earlier);
    else
      done.counts.resize(count_cells(run.plan.selection));  // to be added to those of the others
  } catch (...) {
    failure = std::current_exception();
  }
  const bool early = ranks.leave(failure || !done.complete);
  ranks.together("integration", [&] {
    if (failure) std::rethrow_exception(failure);
  });
  done.complete = !early;
  return done;
}

/// Reason why ranks were stopped: that of this rank in full; in short where only other ranks have one; empty where none
/// has.
std::string shared_reason(const std::string& own, Ranks& ranks) {
  const bool any = std::ranges::max(ranks.gather(own.empty() ? 0 : 1)) != 0;
  return any && own.empty() ? "the result would not fit on the disk" : own;
}

/// Discards this rank's folder after an error on all ranks, unless any rank can go on from its folder.
void discard(std::optional<PartFolder>& part, Ranks& ranks) {
  if (std::ranges::max(ranks.gather(part && part->resumable())) != 0) return;
  if (part && !ranks.first()) part->discard();
  ranks.barrier();  // the others' folders are in that of the first
  if (part && ranks.first()) part->discard();
}

}  // namespace

FileRunOutcome run(PreparedFileRun file_run, Ranks& ranks, const Progress& progress) {
  PreparedRun& prepared = file_run.prepared;
  Backend& backend = *prepared.chosen.backend;
  const std::int64_t n = prepared.n(), slice = agree_on_slice(file_run, ranks);
  const ShareOfEnsemble share = share_of(n, slice, ranks.rank(), ranks.size());
  RunLayout layout = prepared.layout(share.count, slice);
  layout.begin = file_run.begin;
  redistribute(prepared.initial.starts, share, ranks);
  std::unique_ptr<EarlierRun> earlier;
  ranks.together("finished run", [&] {
    if (file_run.begin > 0) {
      const RunSpec& spec = prepared.run.spec;
      earlier = open_finished_run(file_run.output.file, layout, spec.method.step, spec.record.invariants_every);
    }
  });
  ranks.together("slice", [&] {
    if (layout.n > 0) backend.require(std::min(layout.n, layout.slice));
  });

  std::optional<PartFolder> part;
  try {
    const auto open = [&] {
      part.emplace(file_run.output.file, file_run.existing, layout, file_run.checkpoint_identity, ranks.rank());
    };
    ranks.together("first folder", [&] {
      if (ranks.first()) open();
    });
    ranks.together("folders", [&] {
      if (!ranks.first()) open();
    });
    DiskGuard guard(file_run, *part);
    IntegrationReport done =
        integrate_share(prepared, share.first, earlier.get(), *part, ranks,
                        [&](const RunProgress& now) { return progress(now) && guard.lets_go_on(now); });
    RunReport report;
    ranks.together("summary", [&] { report = make_report(prepared, done, *part, share.first); });
    if (!done.complete) return {report, part->layout().slice, shared_reason(guard.reason(), ranks)};
    reduce(report, ranks);
    RunDescription description;
    ranks.together("description", [&] { description = describe(file_run, report.done.counts); });
    part->finish(description, rows_of(prepared.initial.starts, share.first), ranks);
    return {report, part->layout().slice};
  } catch (...) {
    if (!ranks.failed_together()) ranks.abort(current_error());  // the others wait where this one will not come
    discard(part, ranks);
    throw;
  }
}

}  // namespace polhode
