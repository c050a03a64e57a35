// Interface of a backend, which integrates an ensemble: a few virtual calls per segment, and none within it.
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

/// Parts of the ensemble at the end of a segment that are kept with its results (the batch, the counts of the density),
/// since the backend may have gone on when they are looked at.
struct BoundaryRequest {
  bool batch = false, counts = false;
};

/// Result of a segment. Its arrays may be in a backend's own kind of memory.
struct SegmentResult {
  bool overflow = false;               ///< crossings did not fit; the backend is where the segment began
  double fill = 0;                     ///< share of the room for crossings that the segment's take; above 1 if they do
                                       ///< not fit, then perhaps an estimate
  double seconds = 0;                  ///< time that the segment took
  std::vector<SectionPoints> section;  ///< any number of lists; all points of a trajectory are in one of them
  std::int64_t found = 0;              ///< points stored or counted
  std::int64_t unrefined = 0;          ///< crossings that no valid step reaches
  std::pmr::vector<double> snapshots;  ///< [t][dim + n_invariants][n], at the times at which the plan hands them out
  std::vector<SliceStatistics> statistics;  ///< [t]; the segment that begins the run has those of its start first
  Batch batch;                              ///< at the end of the segment, if the request says so
  std::vector<std::int64_t> counts;         ///< of the density at the end of the segment, if the request says so
};

/// Result on loan: the backend reuses its memory when the last pointer to it is gone (at a hundred million points a
/// second, fresh pages would cost more than finding the points). Must not outlive the backend. While the caller has
/// two, start() or finish() may wait until one is back.
using LentResult = std::shared_ptr<SegmentResult>;

class Backend {
 public:
  virtual ~Backend() = default;

  /// Preferred number of trajectories at a time: a power of two, at least 1024.
  virtual std::int64_t preferred_batch() const = 0;
  /// Throws if this many at a time do not fit into memory, before any of it is allocated.
  virtual void require(std::int64_t trajectories) const { static_cast<void>(trajectories); }
  /// Takes over a batch, at step 0 or from a checkpoint: the next segment begins with it. Where several segments may be
  /// in flight, the last one of the batch before may be; if that overflows, the new batch has to be loaded again.
  virtual void load(Batch batch) = 0;

  /// Largest number of segments that may have been started and not finished.
  virtual std::size_t most_in_flight() const = 0;
  /// Starts to advance every trajectory over the segment, which must begin where the last one ends. The plan determines
  /// what is stored or counted of its points.
  virtual void start(const Segment& segment, const BoundaryRequest& kept = {}) = 0;
  /// Waits for the oldest segment in flight, and returns its result. If it overflowed, segments started after it are
  /// forgotten, and the next one begins where it did. After a segment that ends at the last step of the plan and keeps
  /// its batch, only load() may follow.
  virtual LentResult finish() = 0;
  /// Advances over the next segment. No other segment may be in flight.
  LentResult advance(const Segment& segment) {
    start(segment);
    return finish();
  }

  // The following may be called only with no segment in flight.

  /// Counts of the density over all segments since set_counts(), [count_cells()]; empty without a density.
  virtual std::vector<std::int64_t> counts() = 0;
  /// Sets the counts of the density; load() must follow.
  virtual void set_counts(std::vector<std::int64_t> counts) = 0;
  /// Copies the current ensemble to `batch`.
  virtual void store(Batch& batch) const = 0;

  virtual std::string device() const = 0;  ///< e.g. the name of the GPU
  virtual std::string isa() const = 0;     ///< instruction set; "none" for a backend without one
};

}  // namespace polhode
