// Selection of section points: those that satisfy a condition are stored one by one, counted in the cells of a density,
// or both. Plain data with one implementation, for CPU threads, GPU threads and the reference.
//
// A model has observe(i, x), the value of observable i at the point x. Functions with with_turns = false are for models
// without angles that count turns, and have no code for them.
#pragma once

#include <cstdint>

#include "polhode/observer/cells.hpp"
#include "polhode/scalar/elementary/turns.hpp"

namespace polhode {

inline constexpr int max_comparisons = 64;

enum class Relation { less, less_equal, greater, greater_equal };

/// Comparison of an observable (index into System::observables) with a number.
struct Comparison {
  int observable;
  Relation relation;
  double value;
};

/// Conjunction of comparisons.
struct SectionCondition {
  int count = 0;
  Comparison comparisons[max_comparisons];
  std::uint64_t unbounded = 0;  ///< bit i: comparison i is of an angle without bound, taken in [-pi, pi)
};

struct PointSelection {
  SectionCondition where;
  CellAxis axes[2];    ///< axes of the density; no bins: no density
  bool points = true;  ///< store points one by one
};

inline namespace POLHODE_ISA {

POLHODE_HD bool has_density(const PointSelection& selection) { return selection.axes[0].bins > 0; }
/// Number of counts of the density: one for each cell [bins 0][bins 1], then that of points outside; 0 without a
/// density.
POLHODE_HD std::int64_t count_cells(const PointSelection& selection) {
  return has_density(selection) ? selection.axes[0].bins * selection.axes[1].bins + 1 : 0;
}

/// Whether a comparison holds; with NaN it does not.
POLHODE_HD bool holds(const Comparison& comparison, double value) {
  switch (comparison.relation) {
    case Relation::less: return value < comparison.value;
    case Relation::less_equal: return value <= comparison.value;
    case Relation::greater: return value > comparison.value;
    case Relation::greater_equal: return value >= comparison.value;
  }
  return false;
}

/// Whether a point is selected.
template <bool with_turns = true, class Model, class State>
POLHODE_HD bool keeps(const PointSelection& selection, const Model& model, const State& x) {
  for (int i = 0; i < selection.where.count; ++i) {
    const Comparison& comparison = selection.where.comparisons[i];
    double value = model.observe(comparison.observable, x);
    if constexpr (with_turns)
      if (selection.where.unbounded >> i & 1) value = within_turn_from(-full_turn / 2, value);
    if (!holds(comparison, value)) return false;
  }
  return true;
}

/// Index of a point's cell among the counts of the density.
template <bool with_turns = true, class Model, class State>
POLHODE_HD std::int64_t cell_of(const PointSelection& selection, const Model& model, const State& x) {
  std::int64_t cell = 0;
  for (const CellAxis& axis : selection.axes) {
    double value = model.observe(axis.observable, x);
    if constexpr (with_turns)
      if (axis.is_unbounded) value = within_turn_from(axis.low, value);
    if (!(value >= axis.low && value < axis.high)) return count_cells(selection) - 1;
    cell = cell * axis.bins + cell_of(value, axis.low, axis.high, axis.bins);
  }
  return cell;
}

}  // namespace POLHODE_ISA
}  // namespace polhode
