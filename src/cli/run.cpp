// polhode run: the report, for people.
#include "driver/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/commands.hpp"
#include "cli/interruption.hpp"
#include "cli/numbers.hpp"
#include "cli/progress.hpp"
#include "driver/dry_run.hpp"
#include "output/result_file.hpp"

namespace polhode {
namespace {

std::string trajectories(std::int64_t count) { return counted(count, "trajectory", "trajectories"); }

/// Place at which a run was resumed; ranks have one each.
std::string describe_resumption(const Place& begin, const Ranks& ranks) {
  if (ranks.size() > 1) return ", resumed";
  if (begin.first == 0) return fmt::format(", resumed at step {}", begin.step);
  return fmt::format(", resumed at trajectory {}{}", begin.first,
                     begin.step > 0 ? fmt::format(" at step {}", begin.step) : "");
}

/// A positive number, rounded to a whole one with two digits.
std::int64_t with_two_digits(double number) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(number)) - 1));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::round(number / unit) * unit));
}

void print_drifts(const RunReport& report) {
  if (report.unknown == report.trajectories) {
    if (!report.drifts.empty())
      fmt::print("  changes of invariants are unknown: no trajectory reached step {}\n", report.first_compared);
    return;
  }
  const std::string but = report.unknown > 0 ? fmt::format(", unknown in {}", trajectories(report.unknown)) : "";
  for (const auto& [invariant, largest] : report.drifts)
    fmt::print("  largest change of {}: {:.2e}{}\n", invariant, largest, but);
}

void print_endings(const RunReport& report) {
  if (const Ending& events = report.of(Status::event); events.count > 0)
    fmt::print("  {} ended on the section\n", trajectories(events.count));
  for (int code = 1; code < n_statuses; ++code) {
    const Ending& ending = report.endings[code];
    if (static_cast<Status>(code) != Status::event && ending.count > 0)
      fmt::print("  {} failed (first: trajectory {}, after step {}): {}\n", trajectories(ending.count), ending.first,
                 ending.step, status_text[code]);
  }
}

void print_subject(const std::string& output, const RunReport& report, const Ranks& ranks) {
  fmt::print("{}: {} of {} by {} ({}{}), {} steps of {} on {}{}{}\n", output, trajectories(report.trajectories),
             report.system, report.method, report.solver, report.composition.empty() ? "" : ", " + report.composition,
             report.steps, as_written(report.step),
             ranks.size() > 1 ? fmt::format("{} ranks, each on ", ranks.size()) : "", report.device,
             report.backend == "cpu" ? ", " + report.isa : "");
  for (const std::string& remark : report.remarks) fmt::print("  {}\n", remark);
}

void print_report(const std::string& output, const RunReport& report, const std::string& resumed, const Ranks& ranks) {
  const Integrated& done = report.done;
  print_subject(output, report, ranks);
  fmt::print("  {:.2f} s, {:.3g} steps/s{}\n", done.seconds,
             static_cast<double>(done.steps) / std::max(done.seconds, 1e-9), resumed);
  if (!report.section.empty()) fmt::print("  {} section points ({})\n", done.points, report.section);
  if (done.unrefined > 0) fmt::print("  {} crossings dropped: no valid step leads to them\n", done.unrefined);
  if (report.missed > 0)
    fmt::print("  about {} may have been missed: use a shorter step or a method with long steps\n",
               counted(with_two_digits(report.missed), "crossing", "crossings"));
  if (report.round_off > 0)
    fmt::print("  {} of {} dropped: round-off about the section at both ends of the step\n",
               counted(report.round_off, "change of sign", "changes of sign"), trajectories(report.with_round_off));
  print_drifts(report);
  print_endings(report);
}

void print_interruption(const std::string& output, const FileRun& run, const Ranks& ranks) {
  if (ranks.size() > 1) {
    fmt::print(stderr,
               "polhode: interrupted on {} ranks (checkpoints are in {}.part). Continue as many with --resume.\n",
               ranks.size(), output);
    return;
  }
  const Place& end = run.report.done.end;
  const std::int64_t n = run.report.trajectories;
  std::string of_trajectories;
  if (run.slice < n)
    of_trajectories =
        fmt::format(" of trajectories {} to {} of {}", end.first, std::min(end.first + run.slice, n) - 1, n);
  fmt::print(stderr, "polhode: interrupted at step {} of {}{} (a checkpoint is in {}.part). Continue with --resume.\n",
             end.step, run.report.steps, of_trajectories, output);
}

/// Form of the progress that this rank shows.
ProgressForm form_shown(const RunSwitches& switches, const Ranks& ranks) {
  const bool is_shown = ranks.first() && (switches.progress == ProgressForm::json || is_terminal());
  return is_shown ? switches.progress : ProgressForm::none;
}

/// Result of a task that writes nothing, so that a signal may end the program at once.
template <class Task>
auto before_first_step(const Ranks& ranks, const Task& task) {
  const ExitOnInterrupt guard(
      ranks.first() ? "interrupted before the first step (nothing has been written). Start it again." : "");
  return task();
}

Inputs prepare_inputs(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks,
                      RunProgressReport& report) {
  report.prepare();
  return make_inputs(configuration, switches, read_part_with_care, ranks,
                     [&](std::int64_t done, std::int64_t all) { report.update_starts(done, all); });
}

FileRun run_until_interrupted(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks) {
  RunProgressReport report(form_shown(switches, ranks));
  Inputs inputs = before_first_step(ranks, [&] { return prepare_inputs(configuration, switches, ranks, report); });
  const InterruptGuard guard;
  return run(std::move(inputs), ranks, [&](const RunProgress& now) {
    report.update(now);
    return !InterruptGuard::interrupted();
  });
}

DryRun dry_run_until_interrupted(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks) {
  RunProgressReport report(form_shown(switches, ranks));
  return before_first_step(ranks,
                           [&] { return dry_run(prepare_inputs(configuration, switches, ranks, report), ranks); });
}

/// Check that some trajectory reached its end or an event; otherwise the file is no result.
void require_some_success(const std::string& output, const RunReport& report) {
  if (report.any_success()) return;
  const auto first = std::ranges::find_if(report.endings, [](const Ending& e) { return e.count > 0 && e.first == 0; });
  // The domain of a generating function does not depend on the step.
  const bool is_beyond = first == &report.of(Status::no_generating_function);
  throw Error(
      ExitCode::failed,
      fmt::format(
          "every trajectory failed (trajectory 0 after step {}; see /status in {}). Use {}.", first->step, output,
          is_beyond ? "other initial states or a larger method.kappa" : "a smaller step or other initial states"));
}

}  // namespace

ExitCode dry_run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks) {
  const DryRun dry = dry_run_until_interrupted(configuration, switches, ranks);
  if (!ranks.first()) return ExitCode::done;
  print_subject(configuration.output.file.string(), dry.report, ranks);
  if (!dry.report.section.empty())
    fmt::print("  about {:.3g} section points ({})\n", static_cast<double>(dry.report.done.points), dry.report.section);
  fmt::print("  about {}, up to {} of memory{}\n",
             std::isnan(dry.seconds) ? "an unknown time (no GPU was used)" : fmt::format("{:.2g} s", dry.seconds),
             in_bytes(dry.memory), ranks.size() > 1 ? " on each rank" : "");
  fmt::print("  about {} for the result{}, {} while it is written; {} are free\n", in_bytes(dry.file),
             configuration.output.compression > 0 ? " before compression" : "", in_bytes(dry.disk),
             in_bytes(dry.free_disk));
  fmt::print("  nothing has been written\n");
  return ExitCode::done;
}

ExitCode run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks) {
  const FileRun done = run_until_interrupted(configuration, switches, ranks);
  const std::string output = configuration.output.file.string();
  if (!done.report.done.complete) {
    if (ranks.first()) print_interruption(output, done, ranks);
    return ExitCode::interrupted;
  }
  const std::string resumed = switches.resume ? describe_resumption(done.report.done.begin, ranks) : "";
  if (ranks.first()) print_report(output, done.report, resumed, ranks);
  require_some_success(output, done.report);
  return ExitCode::done;
}

}  // namespace polhode
