#include "memory/array_sink.hpp"

#include <fmt/format.h>

#include "contract.hpp"
#include "error.hpp"
#include "memory/array_writers.hpp"
#include "result/assembly.hpp"
#include "result/final_records.hpp"
#include "result/records.hpp"
#include "result/sizes.hpp"

namespace polhode {
namespace {

/// Bytes of the records of a run without its section points, and of two copies of the counts of its density: in the
/// integration, and in the description of the result. The array of the result, which array_bytes() has, is a third
/// copy.
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

void require_memory(double bytes, double most_bytes) {
  if (bytes > most_bytes)
    throw IoError(fmt::format(
        "the result does not fit into memory (it takes {:.3g} GB or more, and the limit is {:.3g}). Record less, or "
        "raise the limit.",
        bytes / 1e9, most_bytes / 1e9));
}

ArraySink::ArraySink(const RunLayout& layout, const RunDescription& description, std::uint64_t most_bytes)
    : layout_(layout),
      most_bytes_(static_cast<double>(most_bytes)),
      bytes_without_points_(record_bytes(layout, description) +
                            array_bytes(description, static_cast<double>(layout.n), 0)) {
  require_room(0, 0);
}

void ArraySink::require_room(std::int64_t points, std::size_t block_bytes) const {
  const std::size_t columns =
      layout_.section_columns.empty() ? static_cast<std::size_t>(layout_.dim) : layout_.section_columns.size();
  require_memory(bytes_without_points_ + static_cast<double>(block_bytes) +
                     static_cast<double>(points) * static_cast<double>(section_point_bytes(columns)),
                 most_bytes_);
}

void ArraySink::append(const SectionPoints& points) {
  if (points.size() == 0) return;
  block_.make(points, 0, points.size(), turns_, 0, trajectories_of_group(layout_.slice), layout_.section_columns);
  require_room(points_ + points.size(), section_.bytes().size() + block_.bytes());
  for (const auto& part : block_.parts()) section_.append(part);
  points_ += points.size();
  ++turns_;
}

void ArraySink::append_snapshots(std::span<const double> snapshots) { snapshots_.append(std::as_bytes(snapshots)); }

void ArraySink::append_statistics(std::span<const double> record) { statistics_.append(std::as_bytes(record)); }

void ArraySink::append_final(const Batch& slice) {
  for (const auto& part : final_records(slice)) final_.append(part);
}

void ArraySink::for_each_final(const std::function<void(const Batch&)>& visit) const {
  polhode::for_each_final(final_.bytes(), layout_.final_shape(), layout_.slice, visit);
}

void ArraySink::make_arrays(const RunDescription& description, const InitialRows& initial, Result& result) {
  const RunRecords content{.description = description,
                           .ensemble = layout_,
                           .slice = layout_.slice,
                           .initial = initial,
                           .final = {"final", final_record_bytes(layout_.final_shape()), final_.bytes()},
                           .section = {{"section", 1, section_.bytes()}},
                           .snapshots = {"snapshots", snapshot_record_bytes(layout_), snapshots_.bytes()},
                           .statistics = {"statistics", layout_.statistics_bytes, statistics_.bytes()},
                           .give_back = RecordBuffer::give_back};
  check_records(content);
  write_into(result, content);
}

}  // namespace polhode
