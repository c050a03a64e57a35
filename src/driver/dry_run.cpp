#include "driver/dry_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "driver/file_run.hpp"
#include "driver/shared_starts.hpp"
#include "integration/report.hpp"
#include "integration/sample.hpp"
#include "integration/segment_length.hpp"
#include "modules/modules.hpp"
#include "parallel_for.hpp"
#include "result/assembly_blocks.hpp"
#include "result/section_blocks.hpp"

namespace polhode {
namespace {

// Trajectories of a sample: enough to keep all packs and threads busy for a moment.
constexpr std::int64_t sampled = 1024, sampled_of_reference = 4;
constexpr double sampled_seconds = 0.5;

/// Bytes of the threads that put the result together: for each some blocks, and the section points of a group of
/// trajectories (result/section_blocks.hpp). points: number of section points of the run.
double memory_of_assembly(const PreparedRun& prepared, std::int64_t slice, double points) {
  constexpr double number = 8, blocks = 4, most_points = 1 << 22;  // of all threads together
  const auto threads = static_cast<double>(threads_of(prepared.run.spec.execution.threads));
  const auto n = static_cast<double>(prepared.n());
  const double values = n * static_cast<double>(prepared.run.system->dim);
  double bytes = blocks * number * std::min(values, static_cast<double>(block_elements));
  if (prepared.run.spec.section && prepared.run.spec.section->points) {
    const auto columns = prepared.run.section_columns.empty() ? static_cast<std::size_t>(prepared.run.system->dim)
                                                              : prepared.run.section_columns.size();
    const double groups = std::ceil(n / static_cast<double>(trajectories_of_group(slice)));
    bytes += std::min(points / groups, most_points / threads) * static_cast<double>(section_point_bytes(columns));
  }
  return threads * bytes;
}

/// Upper bounds of one rank: trajectories that it integrates, starts that it makes, and starts that it keeps.
struct LargestShare {
  std::int64_t trajectories, made, kept;
};

/// Bytes of one rank at most. While it integrates: the starts that it keeps; six batches of a slice, of the backend, of
/// the next slice and of what is being written; the counts of a density in the backend, a checkpoint, two reports and
/// the description of the result; the stored states of two segments; and what the result is put together in. (The
/// journals are then mapped: their pages are the file's, and are given up when others need the room.) Before it
/// integrates, starts may take twice their room: in a vector that grows, or while ranks exchange them.
double memory_of(const PreparedRun& prepared, std::int64_t slice, double points, const LargestShare& share) {
  constexpr double program = 34e6, number = 8, batches = 6;
  const auto dim = static_cast<double>(prepared.run.system->dim);
  const RunLayout layout = prepared.layout(prepared.n(), slice);
  const auto columns = dim + (layout.earlier_drift ? 3 : 2) * layout.n_invariants + 2;
  const auto n = static_cast<double>(std::min(slice, prepared.n()));
  const double made = static_cast<double>(share.made) * dim * number,
               kept = static_cast<double>(share.kept) * dim * number;
  double bytes = kept + batches * n * columns * number;
  bytes += memory_of_assembly(prepared, slice, points);
  bytes += 5 * number * static_cast<double>(count_cells(prepared.plan.selection));
  for (const StoredTimes& times : stored_times(prepared.run.spec.execution, prepared.plan, layout)) {
    // Of a segment, twice, as many as SegmentLength lets be.
    const auto all = static_cast<double>(prepared.run.spec.execution.steps / times.every);
    bytes += 2 * static_cast<double>(times.bytes) * std::min(all, static_cast<double>(times.most));
  }
  return program + std::max(bytes, made + std::max(made, kept));
}

/// Estimate of a run. sample: nothing where no trajectory could be integrated.
DryRun estimate(const PreparedFileRun& file_run, std::int64_t slice, const LargestShare& share,
                const std::optional<Sample>& sample) {
  const PreparedRun& prepared = file_run.prepared;
  const auto n = static_cast<double>(prepared.n());
  const std::int64_t steps = prepared.run.spec.execution.steps;
  const double points = prepared.run.spec.section && sample ? sample->points * sample->times(prepared.n(), steps) : 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();

  DryRun dry;
  dry.report = start_report(prepared);
  dry.report.done.points = static_cast<std::int64_t>(std::min(points, 0x1p62));
  // All ranks are at work until the one with the most is done; the sample had the threads of one.
  dry.trajectories = share.trajectories;
  dry.seconds = !sample || prepared.chosen.name == "cuda"
                    ? std::numeric_limits<double>::quiet_NaN()
                    : sample->seconds * sample->times(dry.trajectories, steps - file_run.begin);
  dry.is_sampled = sample.has_value();
  dry.missing = file_run.missing;
  dry.memory = memory_of(prepared, slice, sample ? points : infinity, share);
  const RunDescription description = describe(file_run, {});
  dry.room = disk_room(description, n, points, file_run.output.file, file_run.bytes_written);
  require_room(dry.room, sample ? "about" : "at least");
  return dry;
}

/// Whether a sample can be integrated: the kernels of the run and those of the sample are there, or may be compiled.
bool can_sample(const PreparedFileRun& file_run) {
  if (compiling_is_allowed()) return true;
  const ResolvedRun& run = file_run.prepared.run;
  return file_run.missing.empty() && missing_modules(modules_of(run, processor_of(run))).empty();
}

}  // namespace

DryRun dry_run(const PreparedFileRun& file_run, Ranks& ranks) {
  const PreparedRun& prepared = file_run.prepared;
  const Starts& starts = prepared.initial.starts;
  const std::int64_t slice = agree_on_slice(file_run, ranks);
  const std::int64_t trajectories_of_first = share_of(prepared.n(), slice, 0, ranks.size()).count;
  const LargestShare share{.trajectories = trajectories_of_first,
                           .made = std::ranges::max(ranks.gather(starts.count_held())),
                           .kept = starts.are_drawn() ? 0 : trajectories_of_first};
  const std::int64_t trajectories = prepared.chosen.name == "reference" ? sampled_of_reference : sampled;
  std::vector<double> states = sample_of(starts, trajectories, ranks);
  DryRun dry;
  ranks.together("dry run", [&] {
    if (!ranks.first()) return;
    std::optional<Sample> sample;
    if (can_sample(file_run)) sample = take_sample(prepared.run, prepared.plan, std::move(states), sampled_seconds);
    dry = estimate(file_run, slice, share, sample);
  });
  return dry;
}

}  // namespace polhode
