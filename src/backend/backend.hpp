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

/// Request for what the result of a segment is to contain of its end: the batch, the counts of the density. By the time
/// that the caller looks at the result, the backend may be in a later segment.
struct BoundaryRequest {
  bool batch = false, counts = false;
};

/// Result of a segment. Its arrays may be in a backend's own kind of memory.
struct SegmentResult {
  bool overflow = false;               ///< whether the crossings did not fit: then the backend is again where the
                                       ///< segment began, and of the other members only `fill` is valid
  double fill = 0;                     ///< share of the room for crossings that is taken; 0 where nothing bounds their
                                       ///< number; above 1 if they did not fit, and then perhaps an estimate
  double seconds = 0;                  ///< time that the segment took
  std::vector<SectionPoints> section;  ///< lists of section points, any number; all points of a trajectory are in one
                                       ///< of them
  std::int64_t found = 0;              ///< number of section points, stored or only counted
  std::int64_t unrefined = 0;          ///< number of crossings that no valid step reaches
  std::pmr::vector<double> snapshots;  ///< [t][dim + n_invariants][n], at the times at which the plan hands them out
  std::vector<SliceStatistics> statistics;  ///< [t], at the times of the plan; a segment that begins at step 0 has
                                            ///< those of step 0, too
  Batch batch;                              ///< batch at the end of the segment; valid only if it was requested
  std::vector<std::int64_t> counts;         ///< counts of the density there; valid only if they were requested
};

/// Result on loan: the backend reuses its memory when the last pointer to it is gone (at a hundred million points a
/// second, fresh pages would cost more than finding the points). Must not outlive the backend. While the caller has two
/// results, start() or finish() may wait until it gives one back.
using LentResult = std::shared_ptr<SegmentResult>;

class Backend {
 public:
  virtual ~Backend() = default;

  /// Preferred number of trajectories at a time: a power of two, at least 1024.
  virtual std::int64_t preferred_batch() const = 0;
  /// Throws UnavailableError where the backend can tell that a batch of `trajectories` does not fit into memory;
  /// allocates nothing.
  virtual void require(std::int64_t trajectories) const { static_cast<void>(trajectories); }
  /// Takes over a batch, with which the next segment begins. No segment may be in flight but, where most_in_flight() is
  /// above 1, the last one of a batch that was no smaller; if that segment overflows, the new batch has to be loaded
  /// again.
  virtual void load(Batch batch) = 0;

  /// Largest number of segments that may have been started and not finished.
  virtual std::size_t most_in_flight() const = 0;
  /// Starts to advance all trajectories that have not ended over the segment, which must begin where the one started
  /// before it ends, or at the step of a batch loaded since. The plan says which section points are stored or counted.
  /// kept: what the result is to contain of the end.
  virtual void start(const Segment& segment, const BoundaryRequest& kept = {}) = 0;
  /// Waits for the oldest segment in flight, and returns its result. If it overflowed, all that was started or loaded
  /// after it is lost, and the next segment begins where it began. After a segment that ends at the last step of the
  /// plan and whose batch was requested, the backend has no batch: load() must come before the next start() or store().
  virtual LentResult finish() = 0;
  /// Advances over the next segment. No other segment may be in flight.
  LentResult advance(const Segment& segment) {
    start(segment);
    return finish();
  }

  // The following may be called only with no segment in flight.

  /// Counts of the density, [count_cells()]: those of set_counts(), and of all segments finished since; empty without a
  /// density.
  virtual std::vector<std::int64_t> counts() = 0;
  /// Sets the counts of the density; load() must follow.
  virtual void set_counts(std::vector<std::int64_t> counts) = 0;
  /// Copies the backend's batch, as it is now, to `batch`.
  virtual void store(Batch& batch) const = 0;

  virtual std::string device() const = 0;  ///< device in words, e.g. the name of the GPU
  virtual std::string isa() const = 0;     ///< instruction set; "none" for a backend without one
};

}  // namespace polhode
