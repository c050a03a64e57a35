// Sink of a run whose result is arrays: holds its records in memory, up to a bound.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "memory/record_buffer.hpp"
#include "polhode/core/ensemble.hpp"
#include "result/initial_rows.hpp"
#include "result/run_description.hpp"
#include "result/section_blocks.hpp"
#include "result/sink.hpp"

namespace polhode {

/// Throws IoError if a result of `bytes` exceeds the bound `most_bytes`.
void require_memory(double bytes, double most_bytes);

class ArraySink final : public Sink {
 public:
  /// Sink of a run. description: that of the run before its first step; most_bytes: bound on the records and the arrays
  /// made from them. Throws IoError where they would exceed it even without section points.
  ArraySink(const RunLayout& layout, const RunDescription& description, std::uint64_t most_bytes);

  const RunLayout& layout() const override { return layout_; }
  /// Appends section points. Throws IoError where records and arrays would then exceed the bound.
  void append(const SectionPoints& points) override;
  void append_snapshots(std::span<const double> snapshots) override;
  void append_statistics(std::span<const double> record) override;
  void append_final(const Batch& slice) override;
  void for_each_final(const std::function<void(const Batch&)>& visit) const override;

  /// Adds the arrays and attributes of a complete run to `result`, and gives up the records that they are made of.
  void make_arrays(const RunDescription& description, const InitialRows& initial, Result& result);

 private:
  /// Throws IoError unless the records and arrays of the run with `points` section points, whose blocks take
  /// `block_bytes`, stay within the bound.
  void require_room(std::int64_t points, std::size_t block_bytes) const;

  RunLayout layout_;
  double most_bytes_, bytes_without_points_;
  std::int64_t points_ = 0, turns_ = 0;  ///< numbers of section points so far, and of their turns (section_blocks.hpp)
  SectionBlock block_;
  RecordBuffer section_, snapshots_, statistics_, final_;
};

}  // namespace polhode
