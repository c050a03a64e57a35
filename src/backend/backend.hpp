// Interface of a backend, which integrates an ensemble. One call per segment; nothing below that is virtual.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/batch.hpp"
#include "backend/section_points.hpp"
#include "backend/stored_states.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

struct SegmentResult {
  bool overflow = false;               ///< crossings did not fit; the backend is where it was before the call
  double fill = 0;                     ///< share of the room for crossings that they take; above 1 if they do not fit,
                                       ///< as far as it is known
  std::vector<SectionPoints> section;  ///< any number of lists; the points of one trajectory are in one of them
  std::int64_t found = 0;              ///< points stored or counted
  std::int64_t unrefined = 0;          ///< crossings that no valid step reaches
  std::vector<double> snapshots;       ///< [t][dim + n_invariants][n], those that the plan hands out
  std::vector<SliceStatistics> statistics;  ///< [t], those of the start first
};

class Backend {
 public:
  virtual ~Backend() = default;

  /// Preferred number of trajectories at a time: a power of two, at least 1024.
  virtual std::int64_t preferred_batch() const = 0;
  /// Throws if this many at a time do not fit into memory, before any of it is allocated.
  virtual void require(std::int64_t trajectories) const { static_cast<void>(trajectories); }
  /// Takes over a batch, at step 0 or from a checkpoint.
  virtual void load(Batch batch) = 0;
  /// Advances every trajectory over the segment, which must start where the last one ended. Replaces the contents of
  /// `result` and reuses its memory: at a hundred million points a second, fresh pages would cost more than finding the
  /// points. The plan determines what is stored or counted of these.
  virtual void advance(const Segment& segment, SegmentResult& result) = 0;
  SegmentResult advance(const Segment& segment) {
    SegmentResult result;
    advance(segment, result);
    return result;
  }
  /// Counts of the density of all segments since they were set (count_cells); empty without one.
  virtual std::vector<std::int64_t> counts() = 0;
  virtual void set_counts(std::vector<std::int64_t> counts) = 0;
  /// Copies the current ensemble to `batch`.
  virtual void store(Batch& batch) const = 0;
  /// The same at the end of a batch, which the backend may hand over; the previous contents of `batch` are lost. Only
  /// load() may follow.
  virtual void unload(Batch& batch) { store(batch); }

  virtual std::string device() const = 0;  ///< e.g. the name of the GPU
  virtual std::string isa() const = 0;     ///< instruction set; "none" if that has no meaning
};

}  // namespace polhode
