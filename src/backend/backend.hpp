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

/// Request for data at the end of a segment, which the result of the segment is then to contain: the batch, the counts
/// of the density of section points (observer/selection.hpp). Made when the segment is started, because by the time
/// that the caller looks at the result, the backend may be in a later one.
struct BoundaryRequest {
  bool batch = false, counts = false;
};

/// Result of a segment. Its std::pmr arrays may be in a backend's own kind of memory, such as pinned memory.
struct SegmentResult {
  /// Whether the crossings did not fit into the room for them: the backend is then again where the segment began, and
  /// of the other members only `fill` is valid.
  bool overflow = false;
  /// Number of crossings, divided by the number that there is room for; above 1 if they did not fit, and then perhaps
  /// an estimate; 0 where nothing bounds their number.
  double fill = 0;
  double seconds = 0;  ///< time that the segment took
  /// Lists of section points, of which there may be none or several; all points of a trajectory are in the same list.
  std::vector<SectionPoints> section;
  std::int64_t found = 0;      ///< number of section points, stored or only counted
  std::int64_t unrefined = 0;  ///< number of crossings that could not be refined: no valid step reaches the section
  /// Snapshots [t][dim + n_invariants][n]: states and recorded invariants after each step at which the plan hands them
  /// out.
  std::pmr::vector<double> snapshots;
  /// Statistics [t] after each step at which the plan takes them; a segment that begins at step 0 also has those of the
  /// states at step 0.
  std::vector<SliceStatistics> statistics;
  Batch batch;                       ///< batch at the end of the segment; valid only if it was requested
  std::vector<std::int64_t> counts;  ///< counts of the density at the end of the segment; valid only if requested
};

/// Result on loan: the backend reuses the result's memory when the last pointer to the result is gone (at a hundred
/// million points a second, fresh pages would cost more than finding the points). Must not outlive the backend. While
/// the caller has two results, start() or finish() may wait until another thread gives one back.
using LentResult = std::shared_ptr<SegmentResult>;

class Backend {
 public:
  virtual ~Backend() = default;

  /// Number of trajectories that the backend prefers in a batch: a power of two, at least 1024.
  virtual std::int64_t preferred_batch() const = 0;
  /// Throws UnavailableError where the backend can tell that a batch of `trajectories` does not fit into memory;
  /// allocates nothing.
  virtual void require(std::int64_t trajectories) const { static_cast<void>(trajectories); }
  /// Takes over a batch, with which the next segment begins. No segment may be in flight, except, where
  /// most_in_flight() is above 1, the last segment of the batch before, if that batch was no smaller; should that
  /// segment overflow, the new batch has to be loaded again.
  virtual void load(Batch batch) = 0;

  /// Largest number of segments in flight, that is, started and not finished.
  virtual std::size_t most_in_flight() const = 0;
  /// Starts to advance over the segment all trajectories that have not ended. The segment must begin where the segment
  /// started before it ends or, if a batch has been loaded since, at the step of that batch. Section points are stored
  /// or counted as RunPlan::selection says. kept: data at the end of the segment that its result is to contain.
  virtual void start(const Segment& segment, const BoundaryRequest& kept = {}) = 0;
  /// Waits for the oldest segment in flight, and returns its result. If that segment overflowed, all segments started
  /// and batches loaded after it are lost, and the next segment must begin where it began. If it ended at the last
  /// step of the plan and its batch was requested, the backend may be left without a batch: load() must come before the
  /// next start() or store().
  virtual LentResult finish() = 0;
  /// Advances over a segment, with no data of its end requested, and returns its result. No other segment may be in
  /// flight.
  LentResult advance(const Segment& segment) {
    start(segment);
    return finish();
  }

  // The following may be called only with no segment in flight.

  /// Counts of the density, [count_cells(selection)]: those given to set_counts(), plus the section points of all
  /// segments finished since; empty without a density.
  virtual std::vector<std::int64_t> counts() = 0;
  /// Sets the counts of the density; load() must follow.
  virtual void set_counts(std::vector<std::int64_t> counts) = 0;
  /// Copies the backend's batch, as it is now, to `batch`.
  virtual void store(Batch& batch) const = 0;

  virtual std::string device() const = 0;  ///< device in words, e.g. the name of the GPU
  virtual std::string isa() const = 0;     ///< instruction set, of a GPU e.g. "sm_90"; "none" for a backend without one
};

}  // namespace polhode
