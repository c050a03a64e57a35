// Receivers of the results of a run: a folder that it can be resumed from, or arrays in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "backend/batch.hpp"
#include "backend/section_points.hpp"
#include "polhode/core/report.hpp"
#include "result/records.hpp"

namespace polhode {

/// Layout of the results of a run, or of a rank's share of it: n trajectories, one slice after another; n = 0 for a
/// rank without a share.
struct RunLayout : BatchShape {
  std::int64_t slice = 0;              ///< trajectories per slice; the last may have fewer
  std::size_t statistics_bytes = 0;    ///< bytes of a record of statistics; 0: there are none
  bool final_states = true;            ///< whether final batches have states
  std::vector<int> section_columns{};  ///< columns of a state that section points keep; empty: all
  bool earlier_drift = false;          ///< whether final batches have Batch::earlier_drift
  std::int64_t begin = 0;  ///< step at which slices begin: 0, or the last step of the run that this one goes on from

  FinalShape final_shape() const { return {without_states_unless(final_states, *this), earlier_drift}; }
};

/// State of a run from which it can go on.
struct ResumePoint {
  RunPosition position;
  Batch batch{};                       ///< batch of the slice; empty at the slice's beginning: its states are known
  std::vector<std::int64_t> counts{};  ///< counts of the density, if the run has one, then of points outside it
  std::int64_t points = 0;             ///< number of section points that the sink has; set by Sink::resume()
  std::int64_t unrefined = 0;          ///< number of crossings before `position` that no valid step reaches: no points
};

class Sink;

/// A finished run that a longer one goes on from. Calls may come from any thread.
class EarlierRun {
 public:
  virtual ~EarlierRun() = default;

  virtual std::int64_t steps() const = 0;
  /// Batch of `count` trajectories from `first` on at the run's last step, with the drifts and status codes that the
  /// longer run would have there: without the comparison made only because the run ended.
  virtual Batch end_of(std::int64_t first, std::int64_t count) = 0;
  /// Hands to the sink what the run has recorded of `count` trajectories from `first` on; returns the number of their
  /// section points. before: index in the run of the trajectory that the sink counts as 0.
  virtual std::int64_t hand_over(std::int64_t first, std::int64_t count, std::int64_t before, Sink& sink) = 0;
  /// Counts of the density, cell by cell, then of the points outside; only for a run with a density.
  virtual std::vector<std::int64_t> counts() = 0;
};

/// Receiver of the results of a run, or of a rank's share of it, whose trajectories it counts from 0. Calls come one at
/// a time, in the order of the run.
class Sink {
 public:
  virtual ~Sink() = default;

  virtual const RunLayout& layout() const = 0;
  /// State to resume the run from; nothing where there is no checkpoint. May be called once only.
  virtual std::optional<ResumePoint> resume() { return std::nullopt; }

  virtual void append(const SectionPoints& points) = 0;
  /// Appends snapshots [times][dim + n_invariants][n of the slice], states and then invariants.
  virtual void append_snapshots(std::span<const double> snapshots) = 0;
  /// Appends a record of statistics (result/records.hpp).
  virtual void append_statistics(std::span<const double> record) = 0;
  virtual void append_final(const Batch& slice) = 0;

  /// Calls visit(batch) for the final batch of every slice so far, in the order of slices.
  virtual void for_each_final(const std::function<void(const Batch&)>& visit) const = 0;

  /// Whether the run can be resumed from this sink; otherwise no checkpoints are made.
  virtual bool keeps_checkpoints() const { return false; }
  /// Stores a checkpoint: a run that is resumed from it keeps everything that has been appended before.
  virtual void write_checkpoint(ResumePoint) {}
};

}  // namespace polhode
