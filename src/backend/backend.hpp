// Interface of a backend, which integrates an ensemble. One call per segment; nothing below that is virtual.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/batch.hpp"
#include "backend/section_points.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

/// Alignment of data that threads write at every point, against false sharing: two cache lines, which a processor may
/// fetch together.
inline constexpr std::size_t bytes_apart = 128;

/// Counts of a list of points.
struct alignas(bytes_apart) PointTally {
  std::int64_t found = 0;            ///< stored or counted
  std::int64_t unrefined = 0;        ///< crossings that no valid step reaches
  std::vector<std::uint32_t> cells;  ///< cells of the density, one per point found

  void clear() {
    found = unrefined = 0;
    cells.clear();
  }
};

struct SegmentResult {
  bool overflow = false;                    ///< crossings did not fit; the backend is where it was before the call
  double fill = 0;                          ///< share of the room for crossings that they take; above 1 if they do not
                                            ///< fit, as far as it is known
  std::vector<SectionPoints> section;       ///< any number of lists; the points of one trajectory are in one of them
  std::vector<PointTally> tallies;          ///< one for each list
  std::vector<std::int64_t> section_count;  ///< [n], of the segment; if there is a section
  std::vector<double> snapshots;            ///< [t][dim + n_invariants][n]
  std::vector<std::int64_t> steps;          ///< [n] completed by each trajectory; if there are snapshots

  /// Resets the counts of points, for n trajectories and a number of lists.
  void start_counts(const Plan& plan, std::size_t lists, std::int64_t n) {
    tallies.resize(lists);
    for (PointTally& tally : tallies) tally.clear();
    section_count.assign(plan.section.observable < 0 ? 0 : n, 0);
  }
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
  /// Copies the current ensemble to `batch`. Columns that the time loop does not write are meaningless.
  virtual void store(Batch& batch) const = 0;
  /// The same at the end of a batch, which the backend may hand over; the previous contents of `batch` are lost. Only
  /// load() may follow.
  virtual void unload(Batch& batch) { store(batch); }

  virtual std::string device() const = 0;  ///< e.g. the name of the GPU
  virtual std::string isa() const = 0;     ///< instruction set; "none" if that has no meaning
};

/// Number of elements in the snapshots of a segment.
inline std::int64_t snapshot_size(const Plan& plan, const Segment& segment, const BatchShape& batch) {
  if (plan.snapshots_every <= 0) return 0;
  const std::int64_t times =
      (segment.first + segment.count) / plan.snapshots_every - segment.first / plan.snapshots_every;
  return times * (batch.dim + batch.n_invariants) * batch.n;
}

}  // namespace polhode
