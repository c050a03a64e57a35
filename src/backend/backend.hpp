// Interface of a backend, which integrates an ensemble. A few calls per segment; nothing below that is virtual.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "backend/batch.hpp"
#include "backend/run_plan.hpp"
#include "backend/section_points.hpp"
#include "backend/stored_states.hpp"

namespace polhode {

/// Parts of the boundary after a segment that are kept with its results, since the backend may be further when they are
/// looked at.
struct BoundaryRequest {
  bool batch = false, counts = false;
};

/// Result of a segment. Its arrays may be in a backend's own kind of memory.
struct SegmentResult {
  bool overflow = false;               ///< crossings did not fit; the backend is where the segment began
  double fill = 0;                     ///< share of the room for crossings that they take; above 1 if they do not fit,
                                       ///< as far as it is known
  double seconds = 0;                  ///< that the segment took
  std::vector<SectionPoints> section;  ///< any number of lists; the points of one trajectory are in one of them
  std::int64_t found = 0;              ///< points stored or counted
  std::int64_t unrefined = 0;          ///< crossings that no valid step reaches
  std::pmr::vector<double> snapshots;  ///< [t][dim + n_invariants][n], those that the plan hands out
  std::vector<SliceStatistics> statistics;  ///< [t], those of the start first
  Batch batch;                              ///< at its end, if it is kept
  std::vector<std::int64_t> counts;         ///< of the density there, likewise
};

/// A result that the backend uses again once nobody has it: at a hundred million points a second, fresh pages would
/// cost more than finding the points. Must not outlive the backend, which may wait until all but two are back.
using LentResult = std::shared_ptr<SegmentResult>;

class Backend {
 public:
  virtual ~Backend() = default;

  /// Preferred number of trajectories at a time: a power of two, at least 1024.
  virtual std::int64_t preferred_batch() const = 0;
  /// Throws if this many at a time do not fit into memory, before any of it is allocated.
  virtual void require(std::int64_t trajectories) const { static_cast<void>(trajectories); }
  /// Takes over a batch, at step 0 or from a checkpoint, with which the next segment begins. The last segment of
  /// another may be in flight, where more than one may be; should that overflow, the batch has to be loaded again.
  virtual void load(Batch batch) = 0;

  /// Largest number of segments that may have been started and not finished.
  virtual std::size_t most_in_flight() const = 0;
  /// Starts to advance every trajectory over the segment, which must begin where the last one ends. The plan determines
  /// what is stored or counted of its points.
  virtual void start(const Segment& segment, const BoundaryRequest& kept = {}) = 0;
  /// Ends the oldest segment. If it overflowed, those that were started after it are forgotten, and the next one begins
  /// where it did. Where the batch after the plan's last step is kept, only load() may follow.
  virtual LentResult finish() = 0;
  /// Advances over the next segment, with none in flight.
  LentResult advance(const Segment& segment) {
    start(segment);
    return finish();
  }

  // With none in flight.

  /// Counts of the density of all segments since they were set (count_cells); empty without one.
  virtual std::vector<std::int64_t> counts() = 0;
  /// Sets the counts of the density; load() must follow.
  virtual void set_counts(std::vector<std::int64_t> counts) = 0;
  /// Copies the current ensemble to `batch`.
  virtual void store(Batch& batch) const = 0;

  virtual std::string device() const = 0;  ///< e.g. the name of the GPU
  virtual std::string isa() const = 0;     ///< instruction set; "none" if that has no meaning
};

}  // namespace polhode
