// Selection of a unit from a list of crossings, added to the counts in the result.
#pragma once

#include "backend/backend.hpp"
#include "polhode/run/select_points.hpp"

namespace polhode {

/// Selects from the first `count` crossings of list k; returns the number of points stored, at the front of the list.
inline std::int64_t select_points(SelectPoints* of_system, const Plan& plan, const CrossingView& list,
                                  std::int64_t count, std::size_t k, SegmentResult& result) {
  PointTally& tally = result.tallies[k];
  const bool counted = has_density(plan.selection);
  const std::size_t held = tally.cells.size();
  if (counted) tally.cells.resize(held + count);
  const SelectedPoints selected = of_system(plan, list, count, tally.cells.data() + held, result.section_count.data());
  if (counted) tally.cells.resize(held + selected.found);
  tally.found += selected.found;
  tally.unrefined += selected.unrefined;
  return plan.selection.points ? selected.found : 0;
}

}  // namespace polhode
