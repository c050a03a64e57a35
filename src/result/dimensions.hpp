// Dimensions of the arrays of a result.
#pragma once

#include <cstdint>

#include "result/result_writer.hpp"
#include "result/run_description.hpp"

namespace polhode {

inline Dimension trajectory_dimension(std::int64_t n) { return {"/trajectory", static_cast<std::uint64_t>(n)}; }
inline Dimension point_dimension(std::int64_t points) { return {"/section/point", static_cast<std::uint64_t>(points)}; }
inline Dimension column_dimension(const RunDescription& run) { return {"/column", run.columns.size()}; }
/// Dimension of the columns of a section point.
inline Dimension section_column_dimension(const RunDescription& run) {
  return run.section_columns.empty() ? column_dimension(run) : Dimension{"/section/column", run.section_columns.size()};
}
inline Dimension invariant_dimension(const RunDescription& run) { return {"/invariant", run.invariants.size()}; }

inline Dimension snapshot_dimension(const RunDescription& run) {
  return {"/snapshots/time", static_cast<std::uint64_t>(run.steps / run.snapshots_every + 1)};
}

inline Dimension time_dimension(const RunDescription& run) {
  return {"/statistics/time", static_cast<std::uint64_t>(run.steps / run.statistics->every + 1)};
}
inline Dimension observable_dimension(const StatisticsDescription& run) {
  return {"/statistics/observables", run.observables.size()};
}
inline Dimension bin_dimension(const StatisticsDescription& run) {
  return {"/statistics/bin", static_cast<std::uint64_t>(run.bins)};
}
/// Dimension of counts below and above the range of a histogram.
inline Dimension side_dimension() { return {"/statistics/side", 2}; }

/// Dimension of the cells of the density along an axis.
inline Dimension cell_dimension(const Density& density, int axis) {
  return {"/section/cell_" + density.axes[axis].name, static_cast<std::uint64_t>(density.bins[axis])};
}

}  // namespace polhode
