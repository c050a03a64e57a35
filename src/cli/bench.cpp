// polhode bench: the tables, for people or as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accuracy/method_variants.hpp"
#include "cli/bench_json.hpp"
#include "cli/commands.hpp"
#include "cli/interruption.hpp"
#include "cli/numbers.hpp"
#include "cli/progress.hpp"
#include "output/result_file.hpp"
#include "polhode/files/files.hpp"
#include "spec/key.hpp"

namespace polhode {
namespace {

/// Largest speed of a whole run that is believed, as a multiple of the speed of its time loop alone: above 1 by more
/// than measurements on an idle machine scatter.
constexpr double largest_credible_share = 1.1;

void print_rate(const std::string& name, const Spread& rate, const std::string& remark) {
  fmt::print("  {:<12}  {:.3g} steps/s, {:.3g} to {:.3g}; {}\n", name, rate.median, rate.lower, rate.upper, remark);
}

void print_limits(const Throughput& report) {
  if (std::isnan(report.fmas))
    fmt::print("  limit         unknown for {}\n", report.isa);
  else if (report.measured)
    fmt::print("  limit         {:.3g} fma/s on all threads, {:.3g} on one alone (measured)\n", report.fmas,
               report.measured->fmas_of_thread);
  else
    fmt::print("  limit         {:.3g} fma/s (multiprocessors, their units and clock)\n", report.fmas);
  if (report.measured) fmt::print("  memory        {:.3g} bytes/s copied\n", report.measured->copied);
  if (report.per_step)
    fmt::print("  a step        {:.4g} fma, {:.4g} other operations, {:.3g} div{}\n", report.per_step->fused,
               report.per_step->others, report.per_step->divisions,
               std::isnan(report.fmas) ? "" : fmt::format(": at most {:.3g} steps/s", report.most_steps_per_second()));
  else
    fmt::print("  a step        its operations are not counted\n");
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

void print_text(const Throughput& report) {
  if (!report.unavailable.empty()) {
    fmt::print("\n{}: {}\n", report.backend, report.unavailable);
    return;
  }
  fmt::print("\n{}, {}\n", report.device, report.isa);
  print_limits(report);
  const double share = report.time_loop.median / report.most_steps_per_second();
  print_rate("time loop", report.time_loop,
             (std::isnan(share) ? "" : percent(share) + " of the limit; ") +
                 fmt::format("{}, {}", counted(report.loop_trajectories, "trajectory", "trajectories"),
                             counted(report.loop_steps, "step", "steps")));
  fmt::print("  whole runs of {}, {}, into memory:\n", counted(report.trajectories, "trajectory", "trajectories"),
             counted(report.steps, "step", "steps"));
  for (const WholeRun& run : report.whole_runs) {
    if (!run.problem.empty()) {
      fmt::print("  {:<12}  {}\n", run.recorded, run.problem);
      continue;
    }
    print_rate(run.recorded, run.rate,
               percent(run.rate.median / report.time_loop.median) +
                   fmt::format(" of the time loop; {:.2g} s, of which starts {:.2g}, integration {:.2g}", run.seconds,
                               run.starts, run.integration) +
                   (run.points > 0 ? "; " + counted(run.points, "point", "points") : ""));
  }
  if (std::ranges::any_of(report.whole_runs, [&](const WholeRun& run) {
        return run.problem.empty() && run.rate.median > largest_credible_share * report.time_loop.median;
      }))
    fmt::print("  A run has no less to do than its time loop: other work slowed that. Measure again.\n");
}

/// Reader of starts from a file. The first call uses read_states_after_trial(), which forks and must therefore come
/// before there are threads; later calls use read_states().
class ReadOnceWithCare {
 public:
  std::vector<double> operator()(const std::filesystem::path& path, const std::string& dataset, int dim) {
    const auto read = first_ ? read_states_after_trial : read_states;
    first_ = false;
    return read(path, dataset, dim);
  }

 private:
  bool first_ = true;
};

std::vector<Throughput> measure(const SpecFor& spec, const BenchOptions& options) {
  const ProgressLine line(is_terminal());
  const ExitOnInterrupt guard(
      "interrupted (a measurement writes its file at the end). Start it again, with a smaller --repeat.");
  ReadOnceWithCare read;
  std::vector<Throughput> reports;
  for (const BackendChoice backend : options.backends)
    reports.push_back(measure_throughput(spec(backend), backend, options, std::ref(read), [&](const std::string& what) {
      line.show(fmt::format("{}: {}", name_of(backend), what));
    }));
  return reports;
}

}  // namespace

ExitCode bench_command(const SpecFor& spec, const BenchOptions& options) {
  check_json_file(options.output, options.force);
  const ResolvedRun run = resolve(spec(options.backends.front()));
  const std::vector<Throughput> reports = measure(spec, options);
  if (std::ranges::none_of(reports, [](const Throughput& report) { return report.unavailable.empty(); }))
    throw UnavailableError(fmt::format("backend {} is unavailable ({}). Use --backends cpu.", reports.front().backend,
                                       reports.front().unavailable));
  const Json json = to_json(run, reports, options.repetitions);
  write_json_file(options.output, json);
  if (options.json) {
    fmt::print("{}\n", json.dump(2));
    return ExitCode::done;
  }
  fmt::print("{} by {} ({}), step {}, {} precision; medians of {}, and quartiles\n", run.system->name,
             in_words(*run.method, run.spec.method), run.solver().name, as_written(run.spec.method.step),
             name_of(run.spec.execution.precision), options.repetitions);
  for (const Throughput& report : reports) print_text(report);
  return ExitCode::done;
}

}  // namespace polhode
