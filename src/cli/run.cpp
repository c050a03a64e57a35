// polhode run: prepares and runs, and prints the report.
#include "driver/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/interruption.hpp"
#include "cli/numbers.hpp"
#include "cli/progress.hpp"
#include "driver/dry_run.hpp"
#include "modules/modules.hpp"
#include "output/result_file.hpp"

namespace polhode {
namespace {

std::string trajectories(std::int64_t count) { return counted(count, "trajectory", "trajectories"); }

/// Clause on where a run was resumed, e.g. ", resumed at step 600"; without the place for several ranks, each of which
/// has a place of its own.
std::string describe_resumption(const RunPosition& begin, const Ranks& ranks) {
  if (ranks.size() > 1) return ", resumed";
  if (begin.first == 0) return fmt::format(", resumed at step {}", begin.step);
  return fmt::format(", resumed at trajectory {}{}", begin.first,
                     begin.step > 0 ? fmt::format(" at step {}", begin.step) : "");
}

/// A positive number, rounded to two digits and to a whole number, 1 at least.
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
  for (const RunReport::Drift& drift : report.drifts) {
    std::vector<std::string> parts;
    const auto add = [&](const char* prefix, const RunReport::Change& change) {
      if (change.trajectory >= 0)
        parts.push_back(fmt::format("{}{:.2e} (trajectory {})", prefix, change.largest, change.trajectory));
    };
    add("", drift);
    add(report.open ? "of those that failed or left " : "of those that failed ", drift.early);
    if (report.unknown > 0) parts.push_back(fmt::format("unknown in {}", trajectories(report.unknown)));
    fmt::print("  largest change of {}: {}\n", drift.invariant, fmt::join(parts, ", "));
  }
}

void print_endings(const RunReport& report) {
  if (const Ending& events = report.of(Status::event); events.count > 0)
    fmt::print("  {} ended on the section\n", trajectories(events.count));
  for (int code = 0; code < n_statuses; ++code) {
    const auto status = static_cast<Status>(code);
    const Ending& ending = report.of(status);
    if (has_reached_end(status) || ending.count == 0) continue;
    fmt::print("  {} {} (first: trajectory {}, after step {}): {}\n", trajectories(ending.count),
               is_result(status, report.open) ? "left" : "failed", ending.first, ending.step, report.meanings[code]);
    if (status == Status::left_domain && !report.system_in_space.empty())
      fmt::print("  past the edge of a chart {0} goes on, the same system in space: polhode convert CONFIG --to {0}\n",
                 report.system_in_space);
  }
}

void print_subject(const std::string& output, const RunReport& report, const Ranks& ranks) {
  fmt::print("{}: {} of {} by {} ({}{}{}), {} of {} on {}{}{}\n", output, trajectories(report.trajectories),
             report.system, report.method, report.table.empty() ? "" : report.table + "; ", report.solver,
             report.composition.empty() ? "" : ", " + report.composition, counted(report.steps, "step", "steps"),
             as_written(report.step), ranks.size() > 1 ? fmt::format("{} ranks, each on ", ranks.size()) : "",
             report.device, report.backend == "cpu" ? ", " + report.isa : "");
  for (const std::string& remark : report.remarks) fmt::print("  {}\n", remark);
}

void print_report(const std::string& output, const RunReport& report, const std::string& resumed, const Ranks& ranks) {
  const IntegrationReport& done = report.done;
  print_subject(output, report, ranks);
  fmt::print("  {:.2f} s, {:.3g} steps/s{}\n", done.seconds,
             static_cast<double>(done.steps) / std::max(done.seconds, 1e-9), resumed);
  if (!report.section.empty())
    fmt::print("  {} ({})\n", counted(done.points, "section point", "section points"), report.section);
  if (done.unrefined > 0)
    fmt::print("  {} dropped: no valid step leads to them\n", counted(done.unrefined, "crossing", "crossings"));
  if (report.missed > 0)
    fmt::print("  about {} may have been missed: use a shorter step{}\n",
               counted(with_two_digits(report.missed), "crossing", "crossings"),
               report.long_steps ? "" : " or a method with long steps");
  if (report.round_off > 0)
    fmt::print("  {} of {} dropped: round-off about the section at both ends of the step\n",
               counted(report.round_off, "change of sign", "changes of sign"), trajectories(report.with_round_off));
  print_drifts(report);
  print_endings(report);
}

void print_interruption(const std::string& output, const FileRunOutcome& run, const Ranks& ranks) {
  const bool by_user = run.stopped.empty();
  const std::string what = by_user ? "interrupted" : "stopped", why = by_user ? "" : run.stopped + "; ";
  const char* const how_to_go_on = by_user ? "Continue" : "Free some space and continue";
  if (ranks.size() > 1) {
    fmt::print(stderr, "polhode: {} on {} ranks ({}checkpoints are in {}.part). {} as many with --resume.\n", what,
               ranks.size(), why, output, how_to_go_on);
    return;
  }
  const RunPosition& end = run.report.done.end;
  const std::int64_t n = run.report.trajectories;
  std::string of_trajectories;
  if (run.slice < n)
    of_trajectories =
        fmt::format(" of trajectories {} to {} of {}", end.first, std::min(end.first + run.slice, n) - 1, n);
  fmt::print(stderr, "polhode: {} at step {} of {}{} ({}a checkpoint is in {}.part). {} with --resume.\n", what,
             end.step, run.report.steps, of_trajectories, why, output, how_to_go_on);
}

/// Form of the progress that this rank shows.
ProgressForm form_shown(const RunSwitches& switches, const Ranks& ranks) {
  const bool is_shown = ranks.first() && (switches.progress == ProgressForm::json || is_terminal());
  return is_shown ? switches.progress : ProgressForm::none;
}

/// Result of a task that writes nothing: a signal during the task ends the program at once.
template <class Task>
auto before_first_step(const Ranks& ranks, const Task& task) {
  const ExitOnInterrupt guard(
      ranks.first() ? "interrupted before the first step (nothing has been written). Start it again." : "");
  return task();
}

PreparedFileRun prepare_reporting(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks,
                                  RunProgressReport& report) {
  report.show_preparation();
  return prepare_file_run(configuration, switches, read_part_after_trial, ranks,
                          [&](std::int64_t done, std::int64_t all) { report.update_starts(done, all); });
}

FileRunOutcome run_until_interrupted(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks) {
  RunProgressReport report(form_shown(switches, ranks));
  PreparedFileRun file_run =
      before_first_step(ranks, [&] { return prepare_reporting(configuration, switches, ranks, report); });
  const InterruptGuard guard;
  return run(std::move(file_run), ranks, [&](const RunProgress& now) {
    report.update(now);
    return !InterruptGuard::interrupted();
  });
}

DryRun dry_run_until_interrupted(const Configuration& configuration, RunSwitches switches, Ranks& ranks) {
  switches.dry = true;
  RunProgressReport report(form_shown(switches, ranks));
  return before_first_step(ranks,
                           [&] { return dry_run(prepare_reporting(configuration, switches, ranks, report), ranks); });
}

/// Advice, in words, against failures with `status`.
std::string advice(Status status, const RunReport& report) {
  switch (status) {
    case Status::no_generating_function:  // whose domain does not depend on the step
      return "other initial states or a larger method.kappa";
    case Status::left_domain:
      return report.system_in_space.empty()
                 ? "other initial states"
                 : fmt::format("other initial states or, past the edge of a chart, {}", report.system_in_space);
    case Status::energy_changed: return "a smaller step or a larger run.energy_limit";
    default: return "a smaller step or other initial states";
  }
}

/// Throws Error with ExitCode::failed where no trajectory has a result.
void require_some_success(const std::string& output, const RunReport& report) {
  if (report.any_success()) return;
  const auto first = std::ranges::find_if(report.endings, [](const Ending& e) { return e.count > 0 && e.first == 0; });
  throw Error(ExitCode::failed,
              fmt::format("every trajectory failed (trajectory 0 after step {}; see /status in {}). Use {}.",
                          first->step, output, advice(static_cast<Status>(first - report.endings.begin()), report)));
}

/// Prints the kernels that are missing, and the command that compiles them.
void print_missing(const std::vector<ModuleSource>& kernels) {
  if (kernels.empty()) return;
  std::vector<std::string> names;
  for (const ModuleSource& kernel : kernels) names.push_back(kernel.in_words);
  fmt::print("  kernels that are missing: {}; compiled by {}\n", fmt::join(names, "; "), command_to_make(kernels));
}

}  // namespace

ExitCode dry_run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks) {
  const DryRun dry = dry_run_until_interrupted(configuration, switches, ranks);
  if (!ranks.first()) return ExitCode::done;
  print_subject(configuration.output.file.string(), dry.report, ranks);
  const bool has_section = !dry.report.section.empty();
  if (has_section && dry.is_sampled)
    fmt::print("  about {:.3g} section points ({})\n", static_cast<double>(dry.report.done.points), dry.report.section);
  const char* const why_unknown = dry.missing.empty() ? "no GPU was used" : "kernels are missing";
  fmt::print("  {}, up to {} of memory{}\n",
             std::isnan(dry.seconds) ? fmt::format("an unknown time ({})", why_unknown)
                                     : fmt::format("about {:.2g} s", dry.seconds),
             in_bytes(dry.memory),
             ranks.size() > 1 ? fmt::format(" and {} on each rank", trajectories(dry.trajectories)) : "");
  fmt::print("  about {} for the result{}{}, {} while it is written; {} are free\n", in_bytes(dry.room.result),
             has_section && !dry.is_sampled ? " without section points" : "",
             dry.room.is_compressed ? " before compression" : "", in_bytes(dry.room.result + dry.room.journals),
             in_bytes(dry.room.free));
  print_missing(dry.missing);
  const std::string output = configuration.output.file.string();
  if (!switches.resume && !switches.force && PartFolder::is_begun(output))
    fmt::print("  {}.part is there: a run was interrupted or is going on\n", output);
  fmt::print("  nothing has been written\n");
  return ExitCode::done;
}

ExitCode run_command(const Configuration& configuration, const RunSwitches& switches, Ranks& ranks) {
  const FileRunOutcome done = run_until_interrupted(configuration, switches, ranks);
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
