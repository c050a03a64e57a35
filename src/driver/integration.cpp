#include "driver/integration.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <numeric>
#include <optional>

#include "backend/consistency.hpp"
#include "contract.hpp"
#include "driver/interruption.hpp"
#include "driver/point_selection.hpp"
#include "driver/progress.hpp"
#include "driver/statistics.hpp"
#include "ensemble/initial.hpp"
#include "polhode/method/status.hpp"

namespace polhode {
namespace {

using Clock = std::chrono::steady_clock;

/// How many steps the next segment takes. Its length changes no bit, so it may follow the clock: a tenth of a second is
/// short enough to stop, to show progress and to stay in the caches, and long enough to cost nothing.
class SegmentLength {
 public:
  SegmentLength(const RunSpec& spec, const Plan& plan, const RunLayout& layout)
      : longest_(spec.segment > 0 ? spec.segment : spec.steps) {
    if (const std::int64_t every = plan.snapshots_every; every > 0) {
      // Snapshots of a segment are held in memory: at most 256 MiB, unless a single one is larger.
      const std::int64_t bytes = std::min(layout.n, layout.slice) * (layout.dim + layout.n_invariants) *
                                 static_cast<std::int64_t>(sizeof(double));
      const std::int64_t fitting = std::max<std::int64_t>(1, (std::int64_t{256} << 20) / bytes);
      if (every < longest_ / fitting) longest_ = every * fitting;
    }
  }

  /// With so many steps left, of which no short rest shall be left over.
  std::int64_t next(std::int64_t left) const {
    const std::int64_t length = std::min(length_, longest_);
    return left <= std::min(length + length / 2, longest_) ? left : length;
  }
  void halve(std::int64_t failed) { length_ = std::max<std::int64_t>(1, failed / 2); }
  void learn(std::int64_t steps, double seconds) {
    if (steps < std::min(length_, longest_)) return;  // cut short by the end
    const double factor = std::clamp(0.1 / std::max(seconds, 1e-6), 0.5, 2.0);
    length_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(steps) * factor));
  }

 private:
  std::int64_t length_ = 64, longest_;
};

/// What a run keeps of the states that a segment hands out.
class Recorder {
 public:
  Recorder(const RunSpec& spec, const Plan& plan, PartFolder& part)
      : spec_(spec), every_(plan.snapshots_every), part_(part) {
    if (spec.statistics) statistics_.emplace(spec);
  }

  void add_start(const Batch& initial) {
    if (statistics_) part_.append_statistics(statistics_->record(initial.state.data(), initial.steps, 0));
  }
  void add(const Segment& segment, const SegmentResult& result) {
    const std::size_t numbers = (part_.layout().dim + part_.layout().n_invariants) * result.steps.size();
    std::int64_t step = every_ > 0 ? segment.first / every_ * every_ : 0;
    for (std::size_t first = 0; first < result.snapshots.size(); first += numbers) {
      step += every_;
      const auto snapshot = std::span(result.snapshots).subspan(first, numbers);
      if (spec_.snapshots > 0 && step % spec_.snapshots == 0) part_.append_snapshots(snapshot);
      if (statistics_ && step % spec_.statistics->every == 0)
        part_.append_statistics(statistics_->record(snapshot.data(), result.steps, step));
    }
  }

 private:
  const RunSpec& spec_;
  std::int64_t every_;
  PartFolder& part_;
  std::optional<Statistics> statistics_;
};

/// Of the trajectories that have come to the end.
void project_momenta(const RunSpec& spec, Batch& final) {
  std::vector<double> x(final.dim);
  for (std::int64_t k = 0; k < final.n; ++k) {
    if (final.code[k] != static_cast<std::uint8_t>(Status::ok)) continue;
    for (int i = 0; i < final.dim; ++i) x[i] = final.state[i * final.n + k];
    spec.system->project_momentum(spec.parameters.data(), x.data());
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
  std::int64_t first;          ///< trajectory of the slice
  std::optional<Batch> start;  ///< of the slice, with its first segment, for statistics
  Batch* final;                ///< of the slice, with its last one
  std::optional<Checkpoint> checkpoint;
};

class Integration {
 public:
  Integration(const IntegrationPlan& run, Backend& backend, PartFolder& part, SectionDensity* density)
      : run_(run),
        spec_(run.spec),
        backend_(backend),
        part_(part),
        density_(density),
        recorder_(run.spec, run.plan, part) {
    if (spec_.section) selection_.emplace(spec_, density);
  }

  Integrated run() {
    Batch batch = begin();
    const Place begin = place_;
    Progress progress(run_.show_progress, ensemble().n, begun_, work(ensemble().n, spec_.steps));
    SegmentLength length(spec_, run_.plan, ensemble());
    while (place_.first < ensemble().n) {
      std::optional<Batch> start;
      if (place_.step == 0 && spec_.statistics) start = batch;
      backend_.load(std::move(batch));
      // Beside the integration, which would wait for it between slices.
      const std::int64_t next = place_.first + size_at(place_.first);
      next_slice_ = std::async(std::launch::async, [this, next] { return start_of(next); });
      if (!advance_slice(length, progress, std::move(start), batch)) break;
    }
    writer_.finish();
    const bool complete = place_.first == ensemble().n;
    // Also at the end: should the disk fill up during assembly, --resume only assembles again.
    write_checkpoint(checkpoint());
    return {complete, begin, place_, steps_, points_, unrefined_, progress.seconds()};
  }

 private:
  const RunLayout& ensemble() const { return part_.layout(); }
  std::int64_t size_at(std::int64_t first) const { return std::min(ensemble().slice, ensemble().n - first); }
  /// Steps of all trajectories together, so far, had none ended early: how much of the work is done.
  double steps_done() const { return work(place_.first, spec_.steps) + work(size_at(place_.first), place_.step); }
  static double work(std::int64_t trajectories, std::int64_t steps) {
    return static_cast<double>(trajectories) * static_cast<double>(steps);
  }

  /// The batch to begin with: that of the last checkpoint, or the start of a slice. A run that has no checkpoint yet
  /// writes one, of its start, so that it can be resumed whatever happens from here on.
  Batch begin() {
    auto last = part_.take_checkpoint();
    if (!last) {
      write_checkpoint(checkpoint());
      return start_of(0);
    }
    place_ = {last->first, last->step};
    points_ = last->records.section;
    if (density_) {
      points_ = std::accumulate(last->counts.begin(), last->counts.end(), std::int64_t{0});
      density_->set_counts(std::move(last->counts));
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
    const std::int64_t dim = spec_.system->dim;
    return make_batch(spec_, run_.plan, run_.starts.subspan(first * dim, size_at(first) * dim));
  }

  /// To the slice's last step: then `batch` is the next one's. False if it was interrupted before.
  bool advance_slice(SegmentLength& length, Progress& progress, std::optional<Batch> start, Batch& batch) {
    while (!InterruptGuard::interrupted() && !run_.ranks.others_stop()) {
      const Segment segment{place_.step, length.next(spec_.steps - place_.step)};
      const Clock::time_point begin = Clock::now();
      SegmentResult& result = results_[turn_];
      backend_.advance(segment, result, selection_ ? &*selection_ : nullptr);
      if (result.overflow) {
        length.halve(segment.count);
        continue;
      }
      POLHODE_ENSURE(std::ranges::all_of(
          result.section, [&](const SectionPoints& list) { return is_in_order(list, 0, size_at(place_.first)); }));
      length.learn(segment.count, std::chrono::duration<double>(Clock::now() - begin).count());
      place_.step += segment.count;

      Leavings leavings{.segment = segment,
                        .first = place_.first,
                        .start = std::exchange(start, std::nullopt),
                        .final = nullptr,
                        .checkpoint = {}};
      const bool last = place_.step == spec_.steps;
      if (last) {
        Batch& final = finals_[turn_];
        backend_.unload(final);
        if (spec_.final_projection) project_momenta(spec_, final);
        steps_ += total(final.steps);
        leavings.final = &final;
        place_ = {place_.first + final.n, 0};
        batch = next_slice_.get();
      }
      if (std::chrono::duration<double>(Clock::now() - last_checkpoint_).count() >= spec_.checkpoint) {
        leavings.checkpoint = checkpoint();
        last_checkpoint_ = Clock::now();
      }
      writer_.start([this, &result, leavings = std::move(leavings)]() mutable { write(leavings, result); });
      turn_ = 1 - turn_;
      progress.update(steps_done(), points_);
      if (last) return true;
    }
    return false;
  }

  void write(Leavings& leavings, SegmentResult& result) {
    if (leavings.start) recorder_.add_start(*leavings.start);
    if (selection_) {
      if (leavings.segment.first == 0) section_count_.assign(size_at(leavings.first), 0);
      take_points(leavings.first, result);
    }
    recorder_.add(leavings.segment, result);
    if (leavings.final) {
      leavings.final->section_count = section_count_;
      part_.append_final(*leavings.final);
    }
    if (leavings.checkpoint) write_checkpoint(*std::move(leavings.checkpoint));
  }

  /// Of the slice that begins with a trajectory.
  void take_points(std::int64_t first, SegmentResult& result) {
    if (result.selected) {
      std::ranges::transform(section_count_, result.section_count, section_count_.begin(), std::plus());
    } else {
      result.tallies.resize(result.section.size());
      for (std::size_t i = 0; i < result.section.size(); ++i)
        selection_->select(result.section[i], result.tallies[i], section_count_.data());
    }
    for (const PointTally& tally : result.tallies) {
      points_ += tally.found;
      unrefined_ += tally.unrefined;
      if (density_) density_->add(tally.cells);
    }
    if (!spec_.section->points) return;
    for (SectionPoints& list : result.section) {
      for (std::int64_t& trajectory : list.trajectory) trajectory += first;
      part_.append(list);
    }
  }

  /// Of where the integration is. At the start of a slice without a batch: it is that of the ensemble.
  Checkpoint checkpoint() const {
    Checkpoint now;
    now.first = place_.first;
    now.step = place_.step;
    now.identity = run_.identity;
    if (place_.step > 0)
      backend_.store(now.batch);
    else
      now.batch = Batch(shape_of(run_.plan, 0, ensemble().dim));
    return now;
  }
  /// Once all before it is written.
  void write_checkpoint(Checkpoint checkpoint) {
    if (density_) checkpoint.counts = density_->counts();
    if (checkpoint.step > 0) checkpoint.batch.section_count = section_count_;
    part_.write_checkpoint(checkpoint);
  }

  const IntegrationPlan& run_;
  const RunSpec& spec_;
  Backend& backend_;
  PartFolder& part_;
  SectionDensity* density_;
  Recorder recorder_;
  std::optional<RunSelection> selection_;  ///< of a run with a section
  Place place_;
  double begun_ = 0;        ///< steps before this process, had no trajectory ended early
  std::int64_t steps_ = 0;  ///< taken in this process, of slices that are complete
  std::atomic<std::int64_t> points_ = 0, unrefined_ = 0;
  std::vector<std::int64_t> section_count_;  ///< [n] of the slice that is being written; of a run with a section
  Clock::time_point last_checkpoint_ = Clock::now();
  SegmentResult results_[2];  ///< one is written while the other is filled
  Batch finals_[2];           ///< likewise
  int turn_ = 0;
  std::future<Batch> next_slice_;
  Writer writer_;  ///< last: it ends before what it writes from
};

}  // namespace

std::int64_t slice_of(const RunSpec& spec, const Backend& backend) {
  return spec.slice > 0 ? spec.slice : backend.preferred_batch();
}

Integrated integrate(const IntegrationPlan& run, Backend& backend, PartFolder& part, SectionDensity* density) {
  return Integration(run, backend, part, density).run();
}

}  // namespace polhode
