#include "driver/dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "driver/describe.hpp"
#include "driver/inputs.hpp"
#include "integration/report.hpp"
#include "integration/sample.hpp"
#include "output/file_size.hpp"
#include "output/posix_file.hpp"
#include "result/assembly_blocks.hpp"

namespace polhode {
namespace {

// So many trajectories keep all packs and threads busy for a moment.
constexpr std::int64_t sampled = 1024, sampled_of_reference = 4;
constexpr double sampled_seconds = 0.5;

/// The starts that are held, and of a slice: the batch and the next one, both of the backend, and those that are being
/// written; the counts of a density, which a checkpoint and the description of the result copy; and two blocks in which
/// the result is put together. Journals are mapped then: their pages are the file's, and count as long as nobody needs
/// the room.
double memory_of(const Prepared& prepared, std::int64_t slice) {
  constexpr double program = 30e6, number = 8, batches = 6;
  const auto dim = static_cast<double>(prepared.run.system->dim);
  const RunLayout layout = prepared.layout(prepared.n(), slice);
  const auto columns = dim + 2 * layout.n_invariants + 2;
  const auto n = static_cast<double>(std::min(slice, prepared.n()));
  double bytes =
      program + static_cast<double>(prepared.initial.starts.held().size()) * number + batches * n * columns * number;
  bytes += 2 * number * std::min(static_cast<double>(prepared.n()) * dim, static_cast<double>(block_elements));
  bytes += 3 * number * static_cast<double>(count_cells(prepared.plan.selection));
  for (const std::int64_t every : {prepared.plan.snapshots_every, prepared.plan.statistics.every}) {
    if (every == 0) continue;
    // Of a segment, twice, as many as SegmentLength lets be.
    const double one = n * (dim + layout.n_invariants) * number;
    const auto all = static_cast<double>(prepared.run.spec.integration.steps / every);
    bytes += 2 * std::max(one, std::min(all * one, 128.0 * (1 << 20)));
  }
  return bytes;
}

}  // namespace

std::string in_bytes(double bytes) {
  const char* const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = bytes / 1e3;
  std::size_t i = 0;
  for (; value >= 1000 && i + 1 < std::size(units); ++i) value /= 1e3;
  return fmt::format("{:.3g} {}", value, units[i]);
}

DryRun dry_run(const Inputs& inputs, Ranks& ranks) {
  const Prepared& prepared = inputs.prepared;
  const std::int64_t slice = agree_on_slice(inputs, ranks);
  const bool of_reference = prepared.chosen.name == "reference";
  const Sample sample = take_sample(prepared.run, prepared.plan, prepared.initial.starts,
                                    of_reference ? sampled_of_reference : sampled, sampled_seconds);

  const auto n = static_cast<double>(prepared.n());
  const double all_steps = n * static_cast<double>(prepared.run.spec.integration.steps);
  const double times = sample.complete ? n / sample.trajectories : all_steps / std::max(sample.steps, 1.0);
  const double points = prepared.run.spec.section ? sample.points * times : 0;

  DryRun dry;
  dry.report = start_report(prepared);
  dry.report.done.points = static_cast<std::int64_t>(std::min(points, 0x1p62));
  dry.seconds = prepared.chosen.name == "cuda" ? std::numeric_limits<double>::quiet_NaN() : sample.seconds * times;
  dry.memory = memory_of(prepared, slice);
  const std::vector<std::int64_t> counts(count_cells(prepared.plan.selection));
  const RunDescription description = describe(inputs, counts);
  dry.file = file_bytes(description, n, points);
  dry.disk = 2 * dry.file;
  dry.free_disk = static_cast<double>(std::filesystem::space(folder_of(inputs.output.file)).available);
  if (dry.disk > dry.free_disk)
    throw IoError(fmt::format(
        "the result does not fit on the disk (about {} for it, as much for the journals that it is made of, and {} are "
        "free). Record less, or write elsewhere with -o.",
        in_bytes(dry.file), in_bytes(dry.free_disk)));
  return dry;
}

}  // namespace polhode
