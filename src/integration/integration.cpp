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

/// What a run keeps of the states that a segment hands out.
class Recorder {
 public:
  Recorder(const ResolvedRun& run, const Plan& plan, Sink& sink)
      : spec_(run.spec), every_(plan.snapshots_every), sink_(sink) {
    if (spec_.statistics) statistics_.emplace(run);
  }

  void add_start(const Batch& initial) {
    if (statistics_) sink_.append_statistics(statistics_->record(initial.state.data(), initial.steps, 0));
  }
  void add(const Segment& segment, const SegmentResult& result) {
    const std::size_t numbers = (sink_.layout().dim + sink_.layout().n_invariants) * result.steps.size();
    std::int64_t step = every_ > 0 ? segment.first / every_ * every_ : 0;
    for (std::size_t first = 0; first < result.snapshots.size(); first += numbers) {
      step += every_;
      const auto snapshot = std::span(result.snapshots).subspan(first, numbers);
      if (spec_.record.snapshots > 0 && step % spec_.record.snapshots == 0) sink_.append_snapshots(snapshot);
      if (statistics_ && step % spec_.statistics->every == 0)
        sink_.append_statistics(statistics_->record(snapshot.data(), result.steps, step));
    }
  }

 private:
  const RunSpec& spec_;
  std::int64_t every_;
  Sink& sink_;
  std::optional<Statistics> statistics_;
};

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
  Segment segment;
  std::int64_t first;                ///< trajectory of the slice
  std::optional<Batch> start;        ///< of the slice, with its first segment, for statistics
  Batch* final;                      ///< of the slice, with its last one
  std::optional<Standing> standing;  ///< for a checkpoint
};

class Integration {
 public:
  Integration(const Task& task, Backend& backend, Sink& sink, const Progress& progress)
      : task_(task),
        spec_(task.run.spec),
        backend_(backend),
        sink_(sink),
        progress_(progress),
        counts_(count_cells(task.plan.selection)),
        recorder_(task.run, task.plan, sink) {}

  Integrated run() {
    Batch batch = begin();
    const Place begin = place_;
    begin_ = Clock::now();  // what follows is integration; before, a checkpoint was waited for
    SegmentLength length(spec_.integration, task_.plan.snapshots_every, ensemble());
    while (place_.first < ensemble().n) {
      std::optional<Batch> start;
      if (place_.step == 0 && spec_.statistics) start = batch;
      backend_.load(std::move(batch));
      // Beside the integration, which would wait for it between slices.
      const std::int64_t next = place_.first + size_at(place_.first);
      next_slice_ = std::async(std::launch::async, [this, next] { return start_of(next); });
      if (!advance_slice(length, std::move(start), batch)) break;
    }
    writer_.finish();
    const bool complete = place_.first == ensemble().n;
    if (complete) progress_(progress());
    // Also at the end: should the disk fill up during assembly, --resume only assembles again.
    if (sink_.keeps_checkpoints()) write_checkpoint(standing());
    return {complete, begin, place_, steps_, points_, unrefined_, seconds(), std::move(counts_)};
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
    if (!last) {
      if (sink_.keeps_checkpoints()) write_checkpoint(standing());
      return start_of(0);
    }
    place_ = last->place;
    points_ = last->points;
    if (spec_.density) {
      counts_ = std::move(last->counts);
      points_ = total(counts_);
    }
    begun_ = steps_done();
    if (place_.step == 0) return start_of(place_.first);
    section_count_ = last->batch.section_count;
    steps_ = -total(last->batch.steps);
    return std::move(last->batch);
  }
  static std::int64_t total(std::span<const std::int64_t> steps) {
    return std::accumulate(steps.begin(), steps.end(), std::int64_t{0});
  }
  Batch start_of(std::int64_t first) const {
    const int dim = task_.run.system->dim;
    return make_batch(dim, task_.plan, task_.states.subspan(first * dim, size_at(first) * dim));
  }

  /// To the slice's last step: then `batch` is the next one's. False if it was interrupted before.
  bool advance_slice(SegmentLength& length, std::optional<Batch> start, Batch& batch) {
    while (progress_(progress())) {
      SegmentResult& result = results_[turn_];
      const Segment segment = advance_next(backend_, length, place_.step, steps() - place_.step, result);
      POLHODE_ENSURE(std::ranges::all_of(
          result.section, [&](const SectionPoints& list) { return is_in_order(list, 0, size_at(place_.first)); }));
      place_.step += segment.count;

      Leavings leavings{.segment = segment,
                        .first = place_.first,
                        .start = std::exchange(start, std::nullopt),
                        .final = nullptr,
                        .standing = {}};
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
    if (leavings.start) recorder_.add_start(*leavings.start);
    if (spec_.section) {
      if (leavings.segment.first == 0) section_count_.assign(size_at(leavings.first), 0);
      take_points(leavings.first, result);
    }
    recorder_.add(leavings.segment, result);
    if (leavings.final) {
      leavings.final->section_count = section_count_;
      if (!spec_.record.final) {
        leavings.final->dim = 0;
        leavings.final->state.clear();
      }
      sink_.append_final(*leavings.final);
    }
    if (leavings.standing) write_checkpoint(*std::move(leavings.standing));
  }

  /// Of the slice that begins with a trajectory.
  void take_points(std::int64_t first, SegmentResult& result) {
    std::ranges::transform(section_count_, result.section_count, section_count_.begin(), std::plus());
    for (const PointTally& tally : result.tallies) {
      points_ += tally.found;
      unrefined_ += tally.unrefined;
      // Counts may be all over the memory, but the next cells are known: a processor fetches them ahead by itself.
      for (const std::uint32_t cell : tally.cells) ++counts_[cell];
    }
    if (!spec_.section->points) return;
    for (SectionPoints& list : result.section) {
      for (std::int64_t& trajectory : list.trajectory) trajectory += first;
      sink_.append(list);
    }
  }

  /// Where the integration is. At the start of a slice without a batch: it is that of the ensemble.
  Standing standing() const {
    Standing now{.place = place_, .batch = Batch(shape_of(task_.plan, 0, ensemble().dim)), .counts = {}, .points = 0};
    if (place_.step > 0) backend_.store(now.batch);
    return now;
  }
  /// Once all before it is written.
  void write_checkpoint(Standing now) {
    now.counts = counts_;
    if (now.place.step > 0) now.batch.section_count = section_count_;
    sink_.write_checkpoint(now);
  }

  static double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }
  double seconds() const { return since(begin_); }

  const Task& task_;
  const RunSpec& spec_;
  Backend& backend_;
  Sink& sink_;
  const Progress& progress_;
  Counts counts_;  ///< of the density (count_cells); whole numbers, which do not depend on the order of points
  Recorder recorder_;
  Place place_;
  double begun_ = 0;        ///< steps before this process, had no trajectory ended early
  std::int64_t steps_ = 0;  ///< taken in this process, of slices that are complete
  std::atomic<std::int64_t> points_ = 0, unrefined_ = 0;
  std::vector<std::int64_t> section_count_;  ///< [n] of the slice that is being written; of a run with a section
  Clock::time_point begin_ = Clock::now(), last_checkpoint_ = begin_;
  SegmentResult results_[2];  ///< one is written while the other is filled
  Batch finals_[2];           ///< likewise
  int turn_ = 0;
  std::future<Batch> next_slice_;
  Writer writer_;  ///< last: it ends before what it writes from
};

}  // namespace

std::int64_t slice_of(const ResolvedRun& run, const Backend& backend) {
  const std::int64_t slice = run.spec.integration.slice;
  return slice > 0 ? slice : backend.preferred_batch();
}

Integrated integrate(const Task& task, Backend& backend, Sink& sink, const Progress& progress) {
  return Integration(task, backend, sink, progress).run();
}

}  // namespace polhode
