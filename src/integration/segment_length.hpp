// Number of steps of the next segment. It changes no bit, so it may follow the clock: a tenth of a second is short
// enough to stop, to show progress and to stay in the caches, and long enough to cost nothing. It also follows the
// number of crossings, so that no segment has to be repeated for want of room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "backend/segments.hpp"
#include "contract.hpp"
#include "parallel_for.hpp"
#include "polhode/core/run_spec.hpp"
#include "result/sink.hpp"

namespace polhode {

/// Times at which a segment stores states, for snapshots or for statistics.
struct StoredTimes {
  std::int64_t every;  ///< number of steps from one to the next
  std::int64_t bytes;  ///< bytes of one: states and invariants; for statistics, also the histograms of all threads
  std::int64_t most;   ///< largest number in a segment: they are held in memory, all kinds in segment_bytes() together,
                       ///< but one of each kind is always allowed
};

/// Bytes that a segment may hold of a run that stores `all`: little beside these, but enough for a long segment.
constexpr std::int64_t segment_bytes(double all) {
  constexpr double least = 4 << 20, most = 256 << 20, share = 32;
  return static_cast<std::int64_t>(std::clamp(all / share, least, most));
}

/// Times at which a run stores states: for snapshots, for statistics, or both; empty where it stores none.
inline std::vector<StoredTimes> stored_times(const ExecutionSpec& spec, const RunPlan& plan, const RunLayout& layout) {
  constexpr std::int64_t number = sizeof(double);
  const std::int64_t states = std::min(layout.n, layout.slice) * (layout.dim + layout.n_invariants) * number;
  const std::int64_t threads = threads_of(spec.threads);
  const std::int64_t histograms = (threads + 1) * count_cells(plan.statistics) * number;
  std::vector<StoredTimes> all;
  if (plan.snapshots_every > 0) all.push_back({plan.snapshots_every, states, 1});
  if (plan.statistics_every > 0) all.push_back({plan.statistics_every, states + histograms, 1});
  for (StoredTimes& times : all) {
    const double slices =
        static_cast<double>(layout.n) / static_cast<double>(std::clamp<std::int64_t>(layout.n, 1, layout.slice));
    const double of_run = slices * static_cast<double>(spec.steps / times.every) * static_cast<double>(times.bytes);
    times.most =
        std::max<std::int64_t>(1, segment_bytes(of_run) / (std::ssize(all) * std::max<std::int64_t>(1, times.bytes)));
  }
  return all;
}

class SegmentLength {
 public:
  SegmentLength(const ExecutionSpec& spec, const RunPlan& plan, const RunLayout& layout)
      : longest_(spec.segment > 0 ? spec.segment : spec.steps) {
    for (const StoredTimes& times : stored_times(spec, plan, layout))
      if (times.every < longest_ / times.most) longest_ = times.every * times.most;
  }

  /// Number of steps of the next segment if `left` steps are left: all of them where otherwise only a short rest would
  /// remain.
  std::int64_t next(std::int64_t left) const {
    const std::int64_t length = std::min(length_, longest_);
    return left <= std::min(length + length / 2, longest_) ? left : length;
  }
  /// Whether a segment of `count` steps was cut short by the end, so that its time says little.
  bool is_rest(std::int64_t count) const { return count < std::min(length_, longest_); }
  /// Adapts the length to a segment of `count` steps that took `seconds` and the share `fill` of the room for crossings
  /// (SegmentResult).
  void learn(std::int64_t count, double seconds, double fill) {
    const double factor = std::clamp(0.1 / std::max(seconds, 1e-6), 0.5, 2.0);
    length_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(count) * factor));
    if (fill > 0) length_ = std::min(length_, steps_that_fit(count, fill));
  }
  /// Shortens the next segments after one of `count` steps whose crossings did not fit: they took the share `fill` of
  /// the room.
  void shorten(std::int64_t count, double fill) {
    POLHODE_ENSURE(count > 1 && fill >= 1);
    length_ = steps_that_fit(count, fill);
  }

 private:
  std::int64_t length_ = 64, longest_;
};

/// Advances a backend by the next segment, from step `first` on with `left` steps left, and adapts `length` to it;
/// repeats it with fewer steps while its crossings do not fit.
inline CompletedSegment advance_next(Backend& backend, SegmentLength& length, std::int64_t first, std::int64_t left) {
  for (;;) {
    const Segment segment{first, length.next(left)};
    LentResult result = backend.advance(segment);
    if (result->overflow) {
      length.shorten(segment.count, result->fill);
    } else {
      if (!length.is_rest(segment.count)) length.learn(segment.count, result->seconds, result->fill);
      return {segment, std::move(result)};
    }
  }
}

}  // namespace polhode
