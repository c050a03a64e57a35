#include "integration/integration.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <numeric>
#include <optional>

#include "backend/consistency.hpp"
#include "contract.hpp"
#include "ensemble/initial.hpp"
#include "integration/segment_length.hpp"
#include "integration/statistics.hpp"
#include "polhode/method/status.hpp"

namespace polhode {
namespace {

using Clock = std::chrono::steady_clock;
using Counts = std::vector<std::int64_t>;

/// Of the trajectories that have come to the end.
void project_momenta(const ResolvedRun& run, Batch& final) {
  std::vector<double> x(final.dim);
  for (std::int64_t k = 0; k < final.n; ++k) {
    if (final.code[k] != static_cast<std::uint8_t>(Status::ok)) continue;
    for (int i = 0; i < final.dim; ++i) x[i] = final.state[i * final.n + k];
    run.system->project_momentum(run.parameters.data(), x.data());
    for (int i = 0; i < final.dim; ++i) final.state[i * final.n + k] = x[i];
  }
}

/// Runs one task at a time beside the integration: writing segment k overlaps with running segment k + 1.
class Writer {
 public:
  /// Once the task before has ended; throws what that threw.
  void start(std::function<void()> task) {
    finish();
    running_ = std::async(std::launch::async, std::move(task));
  }
  void finish() {
    if (running_.valid()) running_.get();
  }

 private:
  std::future<void> running_;
};

/// What a segment leaves, to be written.
struct Leavings {
  std::int64_t first;                ///< trajectory of the slice
  Batch* final;                      ///< of the slice, with its last one
  std::optional<Standing> standing;  ///< for a checkpoint
};

class Integration {
 public:
  Integration(const Task& task, Backend& backend, Sink& sink, const Progress& progress)
      : task_(task), spec_(task.run.spec), backend_(backend), sink_(sink), progress_(progress) {}

  Integrated run() {
    Batch batch = begin();
    const Place begin = place_;
    begin_ = Clock::now();  // what follows is integration; before, a checkpoint was waited for
    SegmentLength length(spec_.integration, task_.plan, ensemble());
    while (place_.first < ensemble().n) {
      backend_.load(std::move(batch));
      // Beside the integration, which would wait for it between slices.
      const std::int64_t next = place_.first + size_at(place_.first);
      next_slice_ = std::async(std::launch::async, [this, next] { return start_of(next); });
      if (!advance_slice(length, batch)) break;
    }
    writer_.finish();
    const bool complete = place_.first == ensemble().n;
    if (complete) progress_(progress());
    // Also at the end: should the disk fill up during assembly, --resume only assembles again.
    if (sink_.keeps_checkpoints()) sink_.write_checkpoint(standing());
    return {complete, begin, place_, steps_, points_, unrefined_, seconds(), backend_.counts()};
  }

 private:
  std::int64_t steps() const { return spec_.integration.steps; }
  RunProgress progress() const {
    return {ensemble().n, steps_done(), work(ensemble().n, steps()), begun_, points_, seconds()};
  }
  const RunLayout& ensemble() const { return sink_.layout(); }
  std::int64_t size_at(std::int64_t first) const { return std::min(ensemble().slice, ensemble().n - first); }
  /// Steps of all trajectories together, so far, had none ended early: how much of the work is done.
  double steps_done() const { return work(place_.first, steps()) + work(size_at(place_.first), place_.step); }
  static double work(std::int64_t trajectories, std::int64_t steps) {
    return static_cast<double>(trajectories) * static_cast<double>(steps);
  }

  /// The batch to begin with: that of the last checkpoint, or the start of a slice. A run that has no checkpoint yet
  /// writes one, of its start, so that it can be resumed whatever happens from here on.
  Batch begin() {
    auto last = sink_.resume();
    Counts counts(count_cells(task_.plan.selection));
    if (last && spec_.density) {
      counts = std::move(last->counts);
      points_ = total(counts);
    } else if (last) {
      points_ = last->points;
    }
    backend_.set_counts(std::move(counts));
    if (!last) {
      if (sink_.keeps_checkpoints()) sink_.write_checkpoint(standing());
      return start_of(0);
    }
    place_ = last->place;
    begun_ = steps_done();
    if (place_.step == 0) return start_of(place_.first);
    steps_ = -total(last->batch.steps);
    return std::move(last->batch);
  }
  static std::int64_t total(std::span<const std::int64_t> steps) {
    return std::accumulate(steps.begin(), steps.end(), std::int64_t{0});
  }
  Batch start_of(std::int64_t first) const {
    return make_batch(task_.plan, task_.starts, task_.first + first, size_at(first), spec_.integration.threads);
  }

  /// To the slice's last step: then `batch` is the next one's. False if it was interrupted before.
  bool advance_slice(SegmentLength& length, Batch& batch) {
    while (progress_(progress())) {
      SegmentResult& result = results_[turn_];
      const Segment segment = advance_next(backend_, length, place_.step, steps() - place_.step, result);
      POLHODE_ENSURE(std::ranges::all_of(
          result.section, [&](const SectionPoints& list) { return are_complete(list, 0, size_at(place_.first)); }));
      place_.step += segment.count;

      Leavings leavings{.first = place_.first, .final = nullptr, .standing = {}};
      const bool last = place_.step == steps();
      if (last) {
        Batch& final = finals_[turn_];
        backend_.unload(final);
        if (task_.run.is_set("final_projection")) project_momenta(task_.run, final);
        steps_ += total(final.steps);
        leavings.final = &final;
        place_ = {place_.first + final.n, 0};
        batch = next_slice_.get();
      }
      if (sink_.keeps_checkpoints() && since(last_checkpoint_) >= spec_.integration.checkpoint) {
        leavings.standing = standing();
        last_checkpoint_ = Clock::now();
      }
      writer_.start([this, &result, leavings = std::move(leavings)]() mutable { write(leavings, result); });
      turn_ = 1 - turn_;
      if (last) return true;
    }
    return false;
  }

  void write(Leavings& leavings, SegmentResult& result) {
    points_ += result.found;
    unrefined_ += result.unrefined;
    if (spec_.section && spec_.section->points) {
      for (SectionPoints& list : result.section) {
        for (std::int64_t& trajectory : list.trajectory) trajectory += leavings.first;
        sink_.append(list);
      }
    }
    if (!result.snapshots.empty()) sink_.append_snapshots(result.snapshots);
    for (const SliceStatistics& slice : result.statistics) sink_.append_statistics(statistics_record(slice));
    if (leavings.final) {
      if (!spec_.record.final) {
        leavings.final->dim = 0;
        leavings.final->state.clear();
      }
      sink_.append_final(*leavings.final);
    }
    if (leavings.standing) sink_.write_checkpoint(*leavings.standing);
  }

  /// Where the integration is. At the start of a slice without a batch: it is that of the ensemble.
  Standing standing() {
    Standing now{.place = place_,
                 .batch = Batch(shape_of(task_.plan, 0, ensemble().dim)),
                 .counts = backend_.counts(),
                 .points = 0};
    if (place_.step > 0) backend_.store(now.batch);
    return now;
  }

  static double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }
  double seconds() const { return since(begin_); }

  const Task& task_;
  const RunSpec& spec_;
  Backend& backend_;
  Sink& sink_;
  const Progress& progress_;
  Place place_;
  double begun_ = 0;        ///< steps before this process, had no trajectory ended early
  std::int64_t steps_ = 0;  ///< taken in this process, of slices that are complete
  std::atomic<std::int64_t> points_ = 0, unrefined_ = 0;
  Clock::time_point begin_ = Clock::now(), last_checkpoint_ = begin_;
  SegmentResult results_[2];  ///< one is written while the other is filled
  Batch finals_[2];           ///< likewise
  int turn_ = 0;
  std::future<Batch> next_slice_;
  Writer writer_;  ///< last: it ends before what it writes from
};

}  // namespace

InitialRows rows_of(const Task& task) {
  return InitialRows::Copy([&task](std::int64_t first, std::int64_t count, double* rows) {
    task.starts.copy_rows(task.first + first, count, 1, rows);  // asked by several threads already
  });
}

std::int64_t slice_of(const ResolvedRun& run, const Backend& backend) {
  const std::int64_t slice = run.spec.integration.slice;
  return slice > 0 ? slice : backend.preferred_batch();
}

Integrated integrate(const Task& task, Backend& backend, Sink& sink, const Progress& progress) {
  return Integration(task, backend, sink, progress).run();
}

}  // namespace polhode
