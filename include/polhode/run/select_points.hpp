// Selects from refined crossings (observer/selection.hpp), in the thread that has just refined them.
#pragma once

#include <cstdint>

#include "polhode/observer/section.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

struct SelectedPoints {
  std::int64_t found = 0;      ///< stored or counted
  std::int64_t unrefined = 0;  ///< crossings that no valid step reaches
};

/// Type of select_points() for a system.
using SelectPoints = SelectedPoints(const Plan& plan, const CrossingView& list, std::int64_t count,
                                    std::uint32_t* cells, std::int64_t* section_count);

inline namespace POLHODE_ISA {

/// Selects from the first `count` crossings of a list. Stored points move to its front, in their order. With a density,
/// cells[k] is the cell of the k-th selected point. Each selected point increments the section_count[n] of its
/// trajectory.
template <class System>
SelectedPoints select_points(const Plan& plan, const CrossingView& list, std::int64_t count, std::uint32_t* cells,
                             std::int64_t* section_count) {
  constexpr int dim = System::dim;
  const typename System::template Model<double> model(plan.parameters);
  SelectedPoints selected;
  for (std::int64_t k = 0; k < count; ++k) {
    const double theta = list.theta[k];
    if (theta != theta) ++selected.unrefined;
    if (!is_finite(theta)) continue;  // a jump is not a crossing
    typename System::template State<double> x;
    for_columns<dim>([&](int i) POLHODE_LAMBDA { x[i] = list.state[k * dim + i]; });
    if (!keeps(plan.selection, model, x)) continue;
    const std::int64_t place = selected.found++;
    ++section_count[list.trajectory[k]];
    if (has_density(plan.selection)) cells[place] = static_cast<std::uint32_t>(cell_of(plan.selection, model, x));
    if (!plan.selection.points || place == k) continue;
    list.trajectory[place] = list.trajectory[k];
    list.step[place] = list.step[k];
    list.theta[place] = theta;
    for_columns<dim>([&](int i) POLHODE_LAMBDA { list.state[place * dim + i] = x[i]; });
  }
  return selected;
}

}  // namespace POLHODE_ISA
}  // namespace polhode
