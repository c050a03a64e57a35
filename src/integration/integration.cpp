#include "integration/integration.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "backend/consistency.hpp"
#include "contract.hpp"
#include "ensemble/initial.hpp"
#include "integration/plan.hpp"
#include "integration/report.hpp"
#include "integration/segment_length.hpp"
#include "integration/statistics.hpp"
#include "polhode/method/status.hpp"

namespace polhode {
namespace {

using Clock = std::chrono::steady_clock;
using Counts = std::vector<std::int64_t>;

/// Lifts the final momenta of the trajectories with status ok to the hidden constraint.
void project_momenta(const ResolvedRun& run, Batch& final) {
  std::vector<double> x(final.dim);
  for (std::int64_t k = 0; k < final.n; ++k) {
    if (final.code[k] != static_cast<std::uint8_t>(Status::ok)) continue;
    for (int i = 0; i < final.dim; ++i) x[i] = final.state[i * final.n + k];
    run.system->project_momentum(run.parameters.data(), x.data());
    for (int i = 0; i < final.dim; ++i) final.state[i * final.n + k] = x[i];
  }
}

/// Thread that runs one task at a time beside the integration: segment k is written while segment k + 1 is integrated.
class Writer {
 public:
  /// Starts a task once the task before it has ended; throws what the task before it threw.
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

class Integration {
 public:
  Integration(const PreparedRun& run, Backend& backend, Sink& sink, const Progress& progress, std::int64_t first,
              EarlierRun* earlier)
      : run_(run),
        first_of_run_(first),
        earlier_(earlier),
        spec_(run.run.spec),
        backend_(backend),
        sink_(sink),
        progress_(progress),
        regular_(sink.layout().earlier_drift ? last_regular_comparison(spec_) : 0),
        place_{0, sink.layout().begin},
        length_(spec_.execution, run.plan, sink.layout()) {}

  IntegrationReport run() {
    Batch batch = begin();
    const RunPosition begin = next_ = place_;
    begin_ = Clock::now();  // what follows is integration; before, a checkpoint was waited for
    if (place_.first < ensemble().n) load(std::move(batch));
    for (bool goes_on = true; place_.first < ensemble().n;) {
      goes_on = goes_on && progress_(progress());
      while (goes_on && started_.size() < backend_.most_in_flight() && next_.first < ensemble().n) start_next();
      if (started_.empty()) break;
      finish_oldest();
    }
    writer_.finish();
    const bool complete = place_.first == ensemble().n;
    if (complete) progress_(progress());
    // Also at the end: should the disk fill up during assembly, --resume only assembles again.
    if (sink_.keeps_checkpoints()) sink_.write_checkpoint(resume_point());
    return {complete, begin, place_, steps_, points_, unrefined_, seconds(), backend_.counts()};
  }

 private:
  /// Data of a slice at the step at which its batch was loaded.
  struct Slice {
    std::int64_t steps;                 ///< steps that all its trajectories together had completed then
    std::vector<double> earlier_drift;  ///< drifts at the last regular comparison, if they are kept and the slice has
                                        ///< passed it; else empty
  };
  /// A segment that has been started.
  struct Started {
    std::int64_t first;  ///< first trajectory of the slice
    Segment segment;
    bool is_last;         ///< whether it is the last segment of the slice
    bool ends_regularly;  ///< whether it ends at the last regular comparison, after which the run goes on
    bool is_stored;       ///< whether a checkpoint follows the segment
    bool is_rest;         ///< whether it was cut short (SegmentLength::is_rest)
    std::shared_ptr<const Slice> slice;
  };

  std::int64_t steps() const { return spec_.execution.steps; }
  /// Step at which slices begin: 0, or the last step of the run that this one goes on from.
  std::int64_t first_step() const { return ensemble().begin; }
  RunPosition after(const Started& done) const {
    if (done.is_last) return {done.first + size_at(done.first), first_step()};
    return {done.first, done.segment.first + done.segment.count};
  }
  RunProgress progress() const {
    return {ensemble().n, steps_done(), work(ensemble().n, steps()), steps_before_, points_, seconds()};
  }
  const RunLayout& ensemble() const { return sink_.layout(); }
  std::int64_t size_at(std::int64_t first) const { return std::min(ensemble().slice, ensemble().n - first); }
  /// Steps of all trajectories together up to place_, had none ended early: a measure of the work that is done.
  double steps_done() const {
    const std::int64_t size = size_at(place_.first);
    return work(place_.first, steps()) + work(size, place_.step) +
           work(ensemble().n - place_.first - size, first_step());
  }
  static double work(std::int64_t trajectories, std::int64_t steps) {
    return static_cast<double>(trajectories) * static_cast<double>(steps);
  }

  /// Takes up the last checkpoint, and returns the batch to begin with: the checkpoint's, or the start of a slice. A
  /// run without a checkpoint stores one of its start, if the sink keeps any, so that it can be resumed whatever
  /// happens from here on.
  Batch begin() {
    auto last = sink_.resume();
    Counts counts(count_cells(run_.plan.selection));
    if (spec_.density) {
      if (last)
        counts = std::move(last->counts);
      else if (earlier_ && first_of_run_ == 0)  // those of all trajectories
        counts = earlier_->counts();
      points_ = total(counts);
    } else if (last) {
      points_ = last->points;
    }
    backend_.set_counts(std::move(counts));
    if (last) {
      place_ = last->position;
      unrefined_ = last->unrefined;
    } else if (sink_.keeps_checkpoints()) {
      sink_.write_checkpoint(resume_point());
    }
    steps_before_ = steps_done();
    return place_.step == first_step() ? start_of(place_.first) : std::move(last->batch);
  }
  static std::int64_t total(std::span<const std::int64_t> numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
  }
  /// Batch with which the slice from trajectory `first` on begins.
  Batch start_of(std::int64_t first) const {
    if (earlier_) return earlier_->end_of(first_of_run_ + first, size_at(first));
    return make_batch(run_.plan, run_.initial.starts, first_of_run_ + first, size_at(first), spec_.execution.threads);
  }

  /// Loads the batch with which the next segment begins, and has the next slice prepared.
  void load(Batch batch) {
    Slice slice{total(batch.steps), {}};
    if (ensemble().earlier_drift && next_.step >= regular_)
      slice.earlier_drift = batch.earlier_drift.empty() ? batch.max_drift : std::move(batch.earlier_drift);
    slice_ = std::make_shared<const Slice>(std::move(slice));
    backend_.load(std::move(batch));
    loaded_ = true;
    prepare(next_.first + size_at(next_.first));
  }
  /// Has another thread make the batch with which the slice from trajectory `first` on starts: otherwise the
  /// integration would wait for it between slices.
  void prepare(std::int64_t first) {
    next_slice_ = std::async(std::launch::async, [this, first] { return start_of(first); });
  }

  void start_next() {
    if (!loaded_) load(next_slice_.get());
    const std::int64_t end = next_.step < regular_ ? regular_ : steps(), left = end - next_.step;
    const Segment segment{next_.step, length_.next(left)};
    const bool is_end = segment.count == left, is_last = is_end && end == steps(), ends_regularly = is_end && !is_last;
    const bool is_stored =
        sink_.keeps_checkpoints() && (store_next_ || since(last_checkpoint_) >= spec_.execution.checkpoint);
    backend_.start(segment, {.batch = is_end || is_stored, .counts = is_stored});
    started_.push_back(
        {next_.first, segment, is_last, ends_regularly, is_stored, length_.is_rest(segment.count), slice_});
    if (is_stored) last_checkpoint_ = Clock::now();
    store_next_ = false;
    next_ = after(started_.back());
    loaded_ = !is_last;
  }

  void finish_oldest() {
    LentResult result = backend_.finish();
    if (result->overflow) return go_back(*result);
    const Started done = started_.front();
    started_.pop_front();
    const Segment& segment = done.segment;
    if (!done.is_rest) length_.learn(segment.count, result->seconds, result->fill);
    POLHODE_ENSURE(std::ranges::all_of(
        result->section, [&](const SectionPoints& list) { return are_complete(list, 0, size_at(done.first)); }));
    place_ = after(done);
    if (done.is_last) {
      if (run_.run.is_set("final_projection")) project_momenta(run_.run, result->batch);
      steps_ += total(result->batch.steps) - done.slice->steps;
    }
    writer_.start([this, done, result = std::move(result)]() mutable {
      const LentResult written = std::move(result);  // which the backend has again as soon as it is written
      write(done, *written);
    });
  }

  /// Goes back to the beginning of the oldest segment in flight, whose crossings did not fit, to repeat it with fewer
  /// steps.
  void go_back(const SegmentResult& overflow) {
    const Started& failed = started_.front();
    length_.shorten(failed.segment.count, overflow.fill);
    next_ = {failed.first, failed.segment.first};
    slice_ = failed.slice;
    loaded_ = true;
    // Segments after it are forgotten, and so is the next slice if it was loaded already.
    if (started_.back().first > failed.first) prepare(failed.first + size_at(failed.first));
    store_next_ = std::ranges::any_of(started_, &Started::is_stored);
    started_.clear();
  }

  void write(const Started& done, SegmentResult& result) {
    if (earlier_ && done.segment.first == first_step()) hand_over_earlier(done.first);
    points_ += result.found;
    unrefined_ += result.unrefined;
    if (spec_.section && spec_.section->points) {
      for (SectionPoints& list : result.section) {
        for (std::int64_t& trajectory : list.trajectory) trajectory += done.first;
        sink_.append(list);
      }
    }
    if (!result.snapshots.empty()) sink_.append_snapshots(result.snapshots);
    for (const SliceStatistics& slice : result.statistics) sink_.append_statistics(statistics_record(slice));
    if (done.ends_regularly) earlier_drift_ = result.batch.max_drift;
    const bool is_beyond = (done.is_last || done.is_stored) && done.segment.first >= regular_;
    result.batch.earlier_drift = is_beyond ? earlier_drift_of(*done.slice) : std::vector<double>();
    if (done.is_last) {
      if (!spec_.record.final) {
        result.batch.dim = 0;
        result.batch.state.clear();
      }
      sink_.append_final(result.batch);
    }
    if (done.is_stored)
      sink_.write_checkpoint(resume_point(after(done), std::move(result.counts), std::exchange(result.batch, {})));
  }

  /// Hands to the sink what the earlier run has recorded of a slice.
  void hand_over_earlier(std::int64_t first) {
    const std::int64_t points = earlier_->hand_over(first_of_run_ + first, size_at(first), first_of_run_, sink_);
    if (!spec_.density) points_ += points;
  }

  /// Drifts at the last regular comparison of the slice that is being written, which has passed it; empty where these
  /// are not kept.
  const std::vector<double>& earlier_drift_of(const Slice& slice) const {
    return slice.earlier_drift.empty() ? earlier_drift_ : slice.earlier_drift;
  }

  /// State from which the run can be resumed at a position. At the beginning of a slice the batch is left out: the
  /// ensemble, or the earlier run, has its states.
  ResumePoint resume_point(const RunPosition& place, Counts counts, Batch batch) const {
    ResumePoint now{.position = place, .counts = std::move(counts), .unrefined = unrefined_};
    now.batch = place.step > first_step() ? std::move(batch) : Batch(shape_of(run_.plan, 0, ensemble().dim));
    return now;
  }
  /// State from which the run can be resumed now; only with no segment in flight.
  ResumePoint resume_point() {
    Batch batch;
    if (place_.step > first_step()) backend_.store(batch);
    if (slice_ && place_.step > regular_) batch.earlier_drift = earlier_drift_of(*slice_);
    return resume_point(place_, backend_.counts(), std::move(batch));
  }

  static double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }
  double seconds() const { return since(begin_); }

  const PreparedRun& run_;
  std::int64_t first_of_run_;  ///< index in the run of the trajectory that the sink counts as 0
  EarlierRun* earlier_;
  const RunSpec& spec_;
  Backend& backend_;
  Sink& sink_;
  const Progress& progress_;
  std::int64_t regular_;     ///< last_regular_comparison(), if the drifts there are kept; else 0
  RunPosition place_;        ///< position up to which segments have ended
  RunPosition next_;         ///< position where the next segment begins
  bool loaded_ = false;      ///< whether the backend has the batch at next_
  bool store_next_ = false;  ///< whether a checkpoint was lost to an overflow
  std::deque<Started> started_;
  std::shared_ptr<const Slice> slice_;  ///< slice of the backend's batch
  std::vector<double> earlier_drift_;   ///< drifts at the last regular comparison, of the slice that is being written
  SegmentLength length_;
  double steps_before_ = 0;  ///< steps_done() when this process began
  std::int64_t steps_ = 0;   ///< steps taken in this process by the trajectories of completed slices
  std::atomic<std::int64_t> points_ = 0, unrefined_ = 0;
  Clock::time_point begin_ = Clock::now(), last_checkpoint_ = begin_;
  std::future<Batch> next_slice_;
  Writer writer_;  ///< last member, so that its task ends before the data that the task uses are destroyed
};

}  // namespace

InitialRows rows_of(const Starts& starts, std::int64_t first) {
  return InitialRows::Copy([&starts, first](std::int64_t from, std::int64_t count, double* rows) {
    starts.copy_rows(first + from, count, 1, rows);  // asked by several threads already
  });
}

std::int64_t slice_of(const ResolvedRun& run, const Backend& backend) {
  const std::int64_t slice = run.spec.execution.slice;
  return slice > 0 ? slice : backend.preferred_batch();
}

IntegrationReport integrate(const PreparedRun& run, Backend& backend, Sink& sink, const Progress& progress,
                            std::int64_t first, EarlierRun* earlier) {
  return Integration(run, backend, sink, progress, first, earlier).run();
}

}  // namespace polhode
