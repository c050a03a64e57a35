#include "throughput/throughput.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "backend/cuda/cuda_backend.hpp"
#include "ensemble/initial.hpp"
#include "error.hpp"
#include "integration/backends.hpp"
#include "integration/integration.hpp"
#include "integration/plan.hpp"
#include "parallel_for.hpp"
#include "polhode/core/ensemble.hpp"
#include "quantiles.hpp"
#include "spec/key.hpp"

namespace polhode {
namespace {

using Clock = std::chrono::steady_clock;

/// Least seconds of a time loop, so that the clock can measure it.
constexpr double least_loop_seconds = 0.05;
/// Least seconds of the first loops together, in which a device wakes up.
constexpr double warm_up_seconds = 0.2;
/// Seconds that a whole run should take, unless the number of its steps is given.
constexpr double run_seconds = 0.5;
/// Seconds after which a row of the table is repeated no more.
constexpr double most_row_seconds = 10;
/// Number of repetitions that are made however long they take, unless fewer are asked for: fewer have no quartiles.
constexpr std::int64_t least_repetitions = 3;
/// Limit to the numbers, dim + 3 for each, in the section points of a whole run: they take a gigabyte as records, and
/// another as arrays of the result.
constexpr double most_point_numbers = 1.2e8;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

Spread spread_of(const std::vector<double>& values) {
  return {median(values, std::ssize(values)), quantile(values, 0.25), quantile(values, 0.75)};
}

/// Specification of a run without its section, density, statistics, snapshots and shadow energy.
RunSpec without_records(RunSpec spec) {
  spec.section.reset();
  spec.density.reset();
  spec.statistics.reset();
  spec.record.snapshots = spec.record.shadow_energy = 0;
  return spec;
}
RunSpec with_steps(RunSpec spec, std::int64_t steps) {
  spec.execution.steps = steps;
  return spec;
}

/// The time loop of the first slice of a run, with nothing recorded: from the starts, again and again.
class TimeLoop {
 public:
  TimeLoop(const ResolvedRun& run, const InitialStates& initial) : plan_(make_plan(run, initial.findings.invariants)) {
    plan_.invariants = 0;
    chosen_ = make_backend(run, plan_);
    const std::int64_t n = std::min(initial.starts.count(), slice_of(run, backend()));
    backend().require(n);
    start_ = make_batch(plan_, initial.starts, 0, n, run.spec.execution.threads);
  }

  Backend& backend() { return *chosen_.backend; }
  const RunPlan& plan() const { return plan_; }
  std::int64_t trajectories() const { return start_.n; }
  /// Seconds that `steps` steps of all trajectories take, from their starts.
  double seconds(std::int64_t steps) {
    backend().load(start_);
    const Clock::time_point begin = Clock::now();
    backend().advance({0, steps});
    return since(begin);
  }
  /// Number of steps that all trajectories together have completed in the last loop.
  double taken() {
    Batch batch;
    backend().store(batch);
    return std::accumulate(batch.steps.begin(), batch.steps.end(), 0.0);
  }

 private:
  RunPlan plan_;
  ChosenBackend chosen_;
  Batch start_;
};

/// Seconds of the shortest of three loops: one that other work holds up says nothing.
double shortest_seconds(TimeLoop& loop, std::int64_t steps) {
  return std::min({loop.seconds(steps), loop.seconds(steps), loop.seconds(steps)});
}

/// Number of steps in which the time loop takes least_loop_seconds at least; `most_steps` where these take less.
/// Repeats the loop for warm_up_seconds at least, which wakes the device.
std::int64_t steps_of_loop(TimeLoop& loop, std::int64_t most_steps) {
  const Clock::time_point begin = Clock::now();
  for (std::int64_t steps = 1;;) {
    const bool is_long = steps == most_steps || shortest_seconds(loop, steps) >= least_loop_seconds;
    if (!is_long)
      steps = std::min(2 * steps, most_steps);
    else if (since(begin) >= warm_up_seconds)
      return steps;
    else
      loop.seconds(steps);
  }
}

/// Whether a row that has been repeated `done` times since `begin` is repeated once more.
bool goes_on(std::ptrdiff_t done, std::int64_t repetitions, Clock::time_point begin, double most_seconds) {
  return done < repetitions && (done < least_repetitions || since(begin) < most_seconds);
}

/// Repeats the time loop `repetitions` times, or fewer where they take more than half of most_row_seconds (it is called
/// before the whole runs, and again after them); appends the rate of each repetition to `rates`, in steps a second.
/// Throws Error with ExitCode::failed where no trajectory completes a step.
void repeat_time_loop(TimeLoop& loop, std::int64_t steps, std::int64_t repetitions, std::vector<double>& rates) {
  loop.seconds(steps);
  const double taken = loop.taken();
  if (taken == 0)
    throw Error(
        ExitCode::failed,
        "there is no speed to measure (no trajectory completes a step). Use a smaller step or other initial states.");
  const Clock::time_point begin = Clock::now();
  for (std::ptrdiff_t done = 0; goes_on(done, repetitions, begin, most_row_seconds / 2); ++done)
    rates.push_back(taken / loop.seconds(steps));
}

double bytes_of(const Result& result) {
  double bytes = 0;
  for (const auto& [name, array] : result.arrays)
    bytes += std::visit([](const auto& values) { return static_cast<double>(values.size() * sizeof(values.front())); },
                        array.values);
  return bytes;
}

/// Times of one run in seconds, in all, for its starts and for its integration; and the number of steps that all its
/// trajectories took together.
struct Lap {
  double seconds, starts, integration, steps;
};

Lap run_once(const RunSpec& spec, const ReadStates& read, WholeRun& row) {
  const Clock::time_point begin = Clock::now();
  Ensemble ensemble(spec, read);
  const double starts = since(begin);
  const Result result = ensemble.run();
  const double seconds = since(begin);
  const IntegrationReport& done = result.report.done;
  row.points = done.points;
  row.bytes = bytes_of(result);
  return {seconds, starts, done.seconds, static_cast<double>(done.steps)};
}

double median_of(const std::vector<Lap>& laps, double Lap::*part) {
  std::vector<double> values;
  for (const Lap& lap : laps) values.push_back(lap.*part);
  return spread_of(values).median;
}

WholeRun measure_whole_run(const std::string& recorded, const RunSpec& spec, const ReadStates& read, int repetitions) {
  WholeRun row{.recorded = recorded, .problem = {}, .rate = {}};
  const Clock::time_point begin = Clock::now();
  try {
    run_once(spec, read, row);  // reserves memory that later ones find
    std::vector<Lap> laps;
    std::vector<double> rates;
    while (goes_on(std::ssize(laps), repetitions, begin, most_row_seconds)) {
      laps.push_back(run_once(spec, read, row));
      rates.push_back(laps.back().steps / laps.back().seconds);
    }
    row.rate = spread_of(rates);
    row.repetitions = static_cast<int>(laps.size());
    row.seconds = median_of(laps, &Lap::seconds);
    row.starts = median_of(laps, &Lap::starts);
    row.integration = median_of(laps, &Lap::integration);
  } catch (const Error& error) {
    if (error.code() == ExitCode::interrupted) throw;
    row.problem = error.what();
  }
  return row;
}

struct RecordedPart {
  std::string name;
  RunSpec spec;
};

/// Specifications that record one part each of what `spec` records: final states, density, statistics, section points.
std::vector<RecordedPart> records_of(const RunSpec& spec) {
  std::vector<RecordedPart> all{{"final states", without_records(spec)}};
  if (spec.density) {
    all.push_back({"density", without_records(spec)});
    all.back().spec.section = spec.section;
    all.back().spec.section->points = false;
    all.back().spec.density = spec.density;
  }
  if (spec.statistics) {
    all.push_back({"statistics", without_records(spec)});
    all.back().spec.statistics = spec.statistics;
  }
  if (spec.section) {
    all.push_back({"points", without_records(spec)});
    all.back().spec.section = spec.section;
    all.back().spec.section->points = true;
  }
  return all;
}

/// Number of steps that n trajectories take in run_seconds, at `rate` steps a second together; fewer where the run has
/// fewer, or where its section points would have more than most_point_numbers.
std::int64_t steps_for(const RunSpec& spec, const ReadStates& read, double rate, std::int64_t n, int dim) {
  const auto fitting = [&](double steps) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(steps, 0x1p40)), 1, spec.execution.steps);
  };
  std::int64_t steps = fitting(run_seconds * rate / static_cast<double>(n));
  if (!spec.section) return steps;
  RunSpec sample = with_steps(without_records(spec), std::min<std::int64_t>(steps, 256));
  sample.section = spec.section;
  sample.section->points = false;
  sample.density = spec.density;
  if (!sample.density) sample.section->points = true;
  WholeRun row;
  run_once(sample, read, row);
  const double numbers = static_cast<double>(row.points) / static_cast<double>(sample.execution.steps) * (dim + 3);
  return numbers > 0 ? std::min(steps, fitting(most_point_numbers / numbers)) : steps;
}

/// Adds the limits of the device and the operations of a step to the report.
void find_limits(const ResolvedRun& run, const TimeLoop& loop, const Starts& starts, Throughput& report) {
  const Precision precision = run.spec.execution.precision;
  report.per_step = operations_per_step(*run.method, run.solver_index, precision, loop.plan(), sample_of(starts, 64));
  if (report.backend == "cuda") {
    report.fmas = cuda_fma_peak(precision);
    return;
  }
  report.threads = static_cast<int>(threads_of(run.spec.execution.threads));
  const auto isa = std::ranges::find(isa_names, report.isa) - std::begin(isa_names);
  const int at_a_time = std::min(report.threads, static_cast<int>(threads_of(0)));  // more share the same processors
  report.measured = measure_limits(static_cast<Isa>(isa), precision, at_a_time);
  report.fmas = report.measured->fmas;
}

}  // namespace

double Throughput::most_steps_per_second() const {
  return per_step ? fmas / per_step->issued() : std::numeric_limits<double>::quiet_NaN();
}

Throughput measure_throughput(RunSpec spec, BackendChoice backend, const ThroughputOptions& options,
                              const ReadStates& read, const ThroughputProgress& progress) {
  spec.execution.backend = backend;
  if (options.steps > 0) spec.execution.steps = std::min(options.steps, spec.execution.steps);
  const ResolvedRun bare = resolve(without_records(spec));
  resolve(spec);  // what is wrong with its records is found before anything is measured
  Throughput report;
  report.backend = name_of(backend);
  report.repetitions = static_cast<int>(options.repetitions);
  if (backend == BackendChoice::cuda) report.unavailable = cuda_problem();
  if (!report.unavailable.empty()) return report;

  progress("starts");
  const InitialStates initial = make_initial_states(bare, read);
  report.trajectories = initial.starts.count();
  std::vector<double> rates;  // of the time loop
  const std::int64_t later_repetitions = options.repetitions / 2;
  {
    TimeLoop loop(bare, initial);
    report.device = loop.backend().device();
    report.isa = loop.backend().isa();
    progress("limits of the hardware");
    find_limits(bare, loop, initial.starts, report);
    progress("time loop");
    report.loop_trajectories = loop.trajectories();
    report.loop_steps = steps_of_loop(loop, spec.execution.steps);
    repeat_time_loop(loop, report.loop_steps, options.repetitions - later_repetitions, rates);
  }
  progress("length of a run");
  report.steps = options.steps > 0
                     ? spec.execution.steps
                     : steps_for(spec, read, spread_of(rates).median, initial.starts.count(), bare.system->dim);
  for (const RecordedPart& records : records_of(with_steps(spec, report.steps))) {
    progress(records.name);
    report.whole_runs.push_back(measure_whole_run(records.name, records.spec, read, report.repetitions));
  }
  if (later_repetitions > 0) {
    progress("time loop again");
    TimeLoop loop(bare, initial);
    repeat_time_loop(loop, report.loop_steps, later_repetitions, rates);
  }
  report.loop_repetitions = static_cast<int>(rates.size());
  report.time_loop = spread_of(rates);
  return report;
}

}  // namespace polhode
