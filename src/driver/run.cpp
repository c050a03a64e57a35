#include "driver/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <future>
#include <numeric>

#include "driver/backends.hpp"
#include "driver/progress.hpp"
#include "driver/section_density.hpp"
#include "driver/statistics.hpp"
#include "ensemble/condition.hpp"
#include "ensemble/initial.hpp"
#include "output/part_folder.hpp"
#include "output/records.hpp"
#include "polhode/method/status.hpp"
#include "version.hpp"

namespace polhode {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> interrupted{false};

/// The first Ctrl-C (or end of the session) asks for an orderly end; the second one has its usual effect.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = false;
    struct sigaction action = {};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    for (int i = 0; i < n_signals; ++i) sigaction(signals[i], &action, &previous_[i]);
  }
  ~InterruptGuard() {
    for (int i = 0; i < n_signals; ++i) sigaction(signals[i], &previous_[i], nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  static constexpr int n_signals = 3;
  static constexpr int signals[n_signals] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction previous_[n_signals];
};

/// How many steps the next segment takes. Its length changes no bit, so it may follow the clock: a tenth of a second is
/// short enough to stop, to show progress and to stay in the caches, and long enough to cost nothing.
class SegmentLength {
 public:
  SegmentLength(const RunSpec& spec, const Plan& plan, const BatchShape& shape)
      : longest_(spec.segment > 0 ? spec.segment : spec.steps) {
    if (const std::int64_t every = plan.snapshots_every; every > 0) {
      // Snapshots of a segment are held in memory: at most 256 MiB, unless a single one is larger.
      const std::int64_t bytes = shape.n * (shape.dim + shape.n_invariants) * static_cast<std::int64_t>(sizeof(double));
      const std::int64_t fitting = std::max<std::int64_t>(1, (std::int64_t{256} << 20) / bytes);
      if (every < longest_ / fitting) longest_ = every * fitting;
    }
  }

  std::int64_t get() const { return std::min(length_, longest_); }
  void halve(std::int64_t failed) { length_ = std::max<std::int64_t>(1, failed / 2); }
  void learn(std::int64_t steps, double seconds) {
    const double factor = std::clamp(0.1 / std::max(seconds, 1e-6), 0.5, 2.0);
    length_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(steps) * factor));
  }

 private:
  std::int64_t length_ = 64, longest_;
};

/// Keeps the points on which the condition holds. Returns how many could not be refined; they are dropped too.
std::int64_t keep_where(const Condition& condition, const RunSpec& spec, SectionPoints& points) {
  std::int64_t kept = 0, unrefined = 0;
  for (std::int64_t k = 0; k < points.size(); ++k) {
    const double* state = points.state.data() + k * points.dim;
    if (std::isnan(points.theta[k])) ++unrefined;
    if (!std::isfinite(points.theta[k])) continue;  // a jump is no crossing
    if (!condition.holds(spec.parameters.data(), state)) continue;
    if (kept < k) {
      points.trajectory[kept] = points.trajectory[k];
      points.step[kept] = points.step[k];
      points.theta[kept] = points.theta[k];
      std::copy_n(state, points.dim, points.state.begin() + kept * points.dim);
    }
    ++kept;
  }
  points.trajectory.resize(kept);
  points.step.resize(kept);
  points.theta.resize(kept);
  points.state.resize(kept * points.dim);
  return unrefined;
}

/// The chart's plane, if it is one of the run's section.
std::optional<Picture> picture_of(const RunSpec& spec) {
  const Chart* chart = spec.system->chart;
  if (!spec.section || !chart || spec.system->find_observable(chart->observable) != spec.section->observable)
    return std::nullopt;
  const auto& [u, v] = chart->axes;
  return Picture{{u.name, v.name}, {u.column, v.column}, {u.sign, v.sign}, chart->side};
}

std::optional<Density> density_of(const RunSpec& spec, const std::optional<SectionDensity>& density) {
  if (!density) return std::nullopt;
  const DensitySpec& plane = *spec.density;
  Density result{.axes = {}, .low = {}, .high = {}, .bins = {}, .counts = density->counts(), .outside = 0};
  for (int i = 0; i < 2; ++i) {
    result.axes.emplace_back(spec.system->observables[plane.observables[i]].name);
    result.low.push_back(plane.low[i]);
    result.high.push_back(plane.high[i]);
    result.bins.push_back(plane.bins[i]);
  }
  result.outside = result.counts.back();
  result.counts.pop_back();
  return result;
}

std::optional<StatisticsDescription> statistics_of(const RunSpec& spec) {
  if (!spec.statistics) return std::nullopt;
  const StatisticsSpec& statistics = *spec.statistics;
  StatisticsDescription result{.every = statistics.every,
                               .observables = {},
                               .bins = statistics.bins,
                               .low = statistics.low,
                               .high = statistics.high};
  for (const int i : statistics.observables) result.observables.emplace_back(spec.system->observables[i].name);
  return result;
}

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
  void add(const Segment& segment, const BatchShape& shape, const SegmentResult& result) {
    const std::size_t numbers = (shape.dim + shape.n_invariants) * shape.n;
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

RunDescription describe(const RunSpec& spec, const Plan& plan, const ChosenBackend& chosen) {
  RunDescription description;
  description.version = program_version();
  description.git = program_git();
  description.config = spec.config;
  description.system = spec.system->name;
  if (spec.system->plugin) description.plugin = describe_plugin(*spec.system->plugin);
  description.method = spec.method->name;
  description.solver = spec.method->variants[spec.variant].solver;
  if (spec.section) description.section = describe_section(spec);
  if (spec.section) description.section_points = spec.section->points;
  description.picture = picture_of(spec);
  description.backend = chosen.name;
  description.device = chosen.backend->device();
  description.isa = chosen.backend->isa();
  description.precision = spec.precision == Precision::binary64 ? "double" : "single";
  description.created = utc_now();
  description.sweeps = plan.sweeps;
  description.step = spec.step;
  description.steps = spec.steps;
  description.snapshots_every = spec.snapshots;
  for (const Quantity& column : spec.system->observables.first(spec.system->dim))
    description.columns.emplace_back(column.name);
  for (std::size_t i = 0; i < spec.system->invariants.size(); ++i)
    if (plan.invariants >> i & 1u) description.invariants.emplace_back(spec.system->invariants[i].name);
  const double* value = spec.parameters.data();
  for (const Parameter& p : spec.system->parameters) {
    description.parameters.push_back({p.name, p.unit, p.meaning, std::vector<double>(value, value + p.size)});
    value += p.size;
  }
  return description;
}

/// The first line in which two identities differ, for a message.
std::string first_difference(const std::string& checkpoint, const std::string& now) {
  std::size_t a = 0, b = 0;
  while (a < checkpoint.size() || b < now.size()) {
    const std::size_t end_a = std::min(checkpoint.find('\n', a), checkpoint.size());
    const std::size_t end_b = std::min(now.find('\n', b), now.size());
    const std::string line_a = checkpoint.substr(a, end_a - a), line_b = now.substr(b, end_b - b);
    if (line_a != line_b) return fmt::format("\"{}\" there, \"{}\" here", line_a, line_b);
    a = end_a + 1;
    b = end_b + 1;
  }
  return "nothing";
}

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

struct Summary {
  std::int64_t first_step, points, unrefined;
  double seconds;  ///< of integration, without assembly
};

void print_summary(const RunSpec& spec, const Plan& plan, const ChosenBackend& chosen, const Batch& final,
                   const std::string& remark, const Summary& summary) {
  fmt::print("{}: {} trajectories of {} by {} ({}), {} steps of {:g} on {}{}\n", spec.output.string(), final.n,
             spec.system->name, spec.method->name, spec.method->variants[spec.variant].solver, spec.steps, spec.step,
             chosen.backend->device(), chosen.name == "cpu" ? ", " + chosen.backend->isa() : "");
  if (!remark.empty()) fmt::print("  {}\n", remark);
  const double advanced = static_cast<double>(final.n) * static_cast<double>(spec.steps - summary.first_step);
  fmt::print("  {:.2f} s, {:.3g} steps/s{}\n", summary.seconds, advanced / std::max(summary.seconds, 1e-9),
             summary.first_step > 0 ? fmt::format(", resumed at step {}", summary.first_step) : "");
  if (spec.section) fmt::print("  {} section points ({})\n", summary.points, describe_section(spec));
  if (summary.unrefined > 0) fmt::print("  {} crossings dropped: no valid step leads to them\n", summary.unrefined);
  const std::int64_t first_compared = std::min(spec.invariants_every, spec.steps);
  if (*std::max_element(final.steps.begin(), final.steps.end()) >= first_compared) {
    auto drift = final.max_drift.begin();
    for (std::size_t i = 0; i < spec.system->invariants.size(); ++i)
      if (plan.invariants >> i & 1u) {
        fmt::print("  largest change of {}: {:.2e}\n", spec.system->invariants[i].name,
                   *std::max_element(drift, drift + final.n));
        drift += final.n;
      }
  } else if (plan.invariants != 0) {
    fmt::print("  changes of invariants are unknown: no trajectory reached step {}\n", first_compared);
  }
  for (int code = 1; code < n_statuses; ++code)
    if (const auto count = std::count(final.code.begin(), final.code.end(), code); count > 0)
      fmt::print("  {} trajectories failed: {}\n", count, status_text[code]);
}

/// A run that overwrote its own configuration or its initial states could not be repeated.
void refuse_inputs_as_output(const RunSpec& spec) {
  std::error_code ignored;
  for (const std::filesystem::path& input : {spec.config_file, spec.ensemble.path})
    if (!input.empty() && std::filesystem::equivalent(input, spec.output, ignored))
      throw InputError(fmt::format("cannot write {} (it is an input of this run). Choose another output with -o.",
                                   spec.output.string()));
}

}  // namespace

ExitCode run(const RunSpec& spec, const RunOptions& options) {
  using Existing = PartFolder::Existing;
  if (options.resume && options.force)
    throw InputError("cannot use --resume and --force together (one continues, the other starts anew). Choose one.");
  const Existing existing = options.resume ? Existing::resume : (options.force ? Existing::replace : Existing::refuse);

  // Everything that can be wrong with the input is found before anything is written.
  refuse_inputs_as_output(spec);
  InitialStates starts = make_initial_states(spec);
  const Plan plan = make_plan(spec, starts.state);
  const Batch initial = make_batch(spec, plan, starts);
  const ChosenBackend chosen = make_backend(spec, plan);
  const std::string run_identity = identity(spec, plan, chosen.name, starts.state);
  starts.state = {};
  const Condition where(*spec.system, spec.section ? spec.section->where : "");
  PartFolder::check_output(spec.output, existing);
  if (options.resume)
    if (const auto checkpoint = PartFolder::read_checkpoint(spec.output);
        checkpoint && checkpoint->identity != run_identity)
      throw InputError(
          fmt::format("cannot resume {} (the configuration differs: {}). Use the configuration it was started with.",
                      spec.output.string(), first_difference(checkpoint->identity, run_identity)));
  Backend& backend = *chosen.backend;
  backend.load(initial);

  std::optional<SectionDensity> density;
  if (spec.density) density.emplace(spec);
  const bool keeps_points = spec.section && spec.section->points;

  std::optional<std::size_t> statistics_bytes;
  if (spec.statistics)
    statistics_bytes = statistics_record_bytes(spec.statistics->observables.size(), spec.statistics->bins);
  PartFolder part(spec.output, existing, initial, statistics_bytes);
  Recorder recorder(spec, plan, part);
  InterruptGuard guard;
  try {
    std::int64_t step = 0, points = 0, unrefined = 0;
    if (auto checkpoint = part.take_checkpoint()) {
      step = checkpoint->step;
      points = checkpoint->section_records;
      if (density) {
        points = std::accumulate(checkpoint->counts.begin(), checkpoint->counts.end(), std::int64_t{0});
        density->set_counts(std::move(checkpoint->counts));
      }
      backend.load(checkpoint->batch);
    } else {
      recorder.add_start(initial);
    }
    const std::int64_t first_step = step;
    Progress progress(!options.quiet && is_terminal(), initial.n, step, spec.steps);
    SegmentLength length(spec, plan, initial);
    Clock::time_point last_checkpoint = Clock::now();

    // Writing segment k overlaps with running segment k + 1; at most one is being written.
    SegmentResult results[2];
    int turn = 0;
    std::future<void> writing;
    while (step < spec.steps && !interrupted) {
      const Segment segment{step, std::min(length.get(), spec.steps - step)};
      const Clock::time_point begin = Clock::now();
      SegmentResult& result = results[turn];
      backend.advance(segment, result);
      if (result.overflow) {
        length.halve(segment.count);
        continue;
      }
      length.learn(segment.count, std::chrono::duration<double>(Clock::now() - begin).count());
      step += segment.count;
      for (SectionPoints& list : result.section) {
        unrefined += keep_where(where, spec, list);
        points += list.size();
      }

      std::optional<Checkpoint> checkpoint;
      const bool due = std::chrono::duration<double>(Clock::now() - last_checkpoint).count() >= spec.checkpoint;
      if (step < spec.steps && due) {
        checkpoint.emplace();
        checkpoint->step = step;
        checkpoint->identity = run_identity;
        backend.store(checkpoint->batch);
        last_checkpoint = Clock::now();
      }
      if (writing.valid()) writing.get();
      writing = std::async(std::launch::async, [&, segment, checkpoint = std::move(checkpoint)]() mutable {
        for (const SectionPoints& list : result.section) {
          if (keeps_points) part.append(list);
          if (density) density->add(list);
        }
        recorder.add(segment, initial, result);
        if (!checkpoint) return;
        if (density) checkpoint->counts = density->counts();
        part.write_checkpoint(*checkpoint);
      });
      turn = 1 - turn;
      progress.update(step, points);
    }
    if (writing.valid()) writing.get();

    // Also at the end: should the disk fill up during assembly, --resume only assembles again.
    Batch final;
    backend.store(final);
    const std::vector<std::int64_t> counts = density ? density->counts() : std::vector<std::int64_t>{};
    part.write_checkpoint({.step = step,
                           .section_records = 0,
                           .snapshot_records = 0,
                           .statistics_records = 0,
                           .identity = run_identity,
                           .batch = final,
                           .counts = counts});
    if (step < spec.steps) {
      fmt::print(stderr,
                 "polhode: interrupted at step {} of {} (a checkpoint is in {}.part). Continue with --resume.\n", step,
                 spec.steps, spec.output.string());
      return ExitCode::interrupted;
    }
    const double seconds = progress.seconds();
    if (spec.final_projection) project_momenta(spec, final);
    RunDescription description = describe(spec, plan, chosen);
    description.density = density_of(spec, density);
    description.statistics = statistics_of(spec);
    part.finish(description, initial, final);
    progress.finish();
    print_summary(spec, plan, chosen, final, starts.remark, {first_step, points, unrefined, seconds});
    return ExitCode::done;
  } catch (...) {
    part.discard();
    throw;
  }
}

}  // namespace polhode
