#include "memory/array_sink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "contract.hpp"
#include "error.hpp"
#include "memory/array_writers.hpp"
#include "result/assembly.hpp"
#include "result/final_records.hpp"
#include "result/records.hpp"
#include "result/section_records.hpp"
#include "result/sizes.hpp"

namespace polhode {
namespace {

/// Bytes of the records of a run without its section points, and of the counts of its density, which the run and the
/// description of its result hold in addition to the array.
double record_bytes(const RunLayout& layout, const RunDescription& run) {
  const auto n = static_cast<double>(layout.n);
  double bytes = n * static_cast<double>(final_record_bytes(layout.final_shape()));
  if (run.snapshots_every > 0)
    bytes +=
        n * static_cast<double>(run.steps / run.snapshots_every) * static_cast<double>(snapshot_record_bytes(layout));
  if (run.statistics) {
    const std::int64_t slices = (layout.n + layout.slice - 1) / layout.slice;
    bytes += static_cast<double>(slices * (run.steps / run.statistics->every + 1)) *
             static_cast<double>(layout.statistics_bytes);
  }
  if (run.density) bytes += 2 * static_cast<double>(run.density->counts.size() * sizeof(std::int64_t));
  return bytes;
}

}  // namespace

ArraySink::ArraySink(const RunLayout& layout, const RunDescription& description, std::uint64_t most_bytes)
    : layout_(layout),
      most_bytes_(static_cast<double>(most_bytes)),
      without_points_(record_bytes(layout, description) + array_bytes(description, static_cast<double>(layout.n), 0)) {
  require_room(0);
}

void ArraySink::require_room(double points) const {
  // A point takes as many bytes in its record as in the arrays.
  const double bytes = without_points_ + 2 * points * static_cast<double>(section_record_bytes(layout_.dim));
  if (bytes > most_bytes_)
    throw IoError(fmt::format(
        "the result does not fit into memory (it takes {:.3g} GB or more, and the limit is {:.3g}). Record less, or "
        "raise the limit.",
        bytes / 1e9, most_bytes_ / 1e9));
}

void ArraySink::append(const SectionPoints& points) {
  constexpr std::int64_t block = 1 << 16;
  require_room(static_cast<double>(section_.bytes().size() / section_record_bytes(layout_.dim)) +
               static_cast<double>(points.size()));
  std::vector<std::byte> records;
  for (std::int64_t first = 0; first < points.size(); first += block) {
    make_section_records(points, first, std::min(block, points.size() - first), records);
    section_.append(records);
  }
}

void ArraySink::append_snapshots(std::span<const double> snapshots) { snapshots_.append(std::as_bytes(snapshots)); }

void ArraySink::append_statistics(std::span<const double> record) { statistics_.append(std::as_bytes(record)); }

void ArraySink::append_final(const Batch& slice) {
  for (const auto& part : final_records(slice)) final_.append(part);
}

void ArraySink::for_each_final(const std::function<void(const Batch&)>& visit) const {
  polhode::for_each_final(final_.bytes(), layout_.final_shape(), layout_.slice, visit);
}

void ArraySink::make_arrays(const RunDescription& description, const InitialRows& initial, Result& result) const {
  const RunResult content{.description = description,
                          .ensemble = layout_,
                          .slice = layout_.slice,
                          .initial = initial,
                          .final = {"final", final_record_bytes(layout_.final_shape()), final_.bytes()},
                          .section = {"section", section_record_bytes(layout_.dim), section_.bytes()},
                          .snapshots = {"snapshots", snapshot_record_bytes(layout_), snapshots_.bytes()},
                          .statistics = {"statistics", layout_.statistics_bytes, statistics_.bytes()}};
  check_records(content);
  write_into(result, content);
}

}  // namespace polhode
