// Judges refined crossings (observer/selection.hpp) where they are refined: the same for a CPU thread and a GPU thread,
// which differ in where they put what is selected.
#pragma once

#include <cstdint>
#include <limits>

#include "polhode/observer/section.hpp"
#include "polhode/observer/section_function.hpp"
#include "polhode/observer/selection.hpp"
#include "polhode/run/carried.hpp"

namespace polhode::inline POLHODE_ISA {

/// Selects crossing k of a refined list, or does not. Calls of `selected`, as far as the selection asks for them:
/// add_unrefined() of a crossing that no valid step reaches; count(column, trajectory) of what each trajectory counts;
/// add_point(), then count_cell(cell of the density) and store(k, state).
template <class System, class Selected>
POLHODE_HD void judge_point(const PointSelection& selection, const typename System::template Model<double>& model,
                            const CrossingView& list, std::int64_t k, Selected& selected) {
  using Counts = CrossingCounts<PointerTo>;
  constexpr int dim = System::dim;
  constexpr bool with_turns = counts_turns<System>();
  const double theta = list.theta[k];
  if (theta != theta) selected.add_unrefined();
  if (theta == -std::numeric_limits<double>::infinity()) selected.count(&Counts::round_off, list.trajectory[k]);
  if (!is_finite(theta)) return;  // a jump is not a crossing, either
  typename System::template State<double> x;
  for_columns<dim>([&](int i) POLHODE_LAMBDA { x[i] = list.state[k * dim + i]; });
  if (!keeps<with_turns>(selection, model, x)) return;
  selected.add_point();
  selected.count(&Counts::section_count, list.trajectory[k]);
  if (has_density(selection)) selected.count_cell(cell_of<with_turns>(selection, model, x));
  if (selection.points) selected.store(k, x);
}

}  // namespace polhode::inline POLHODE_ISA
