// Selection from a list of refined crossings in one thread.
#pragma once

#include <cstdint>

#include "polhode/run/judge_point.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

/// Points that a thread selects. Stored points move to the front of the list that they come from, in their order.
struct SelectedPoints {
  CrossingCounts<PointerTo> counts;  ///< [n], incremented for each crossing that they count; null: not counted
  std::uint32_t* cells;              ///< [found], the cell of each point; null without a density
  std::int64_t found = 0;            ///< stored or counted
  std::int64_t unrefined = 0;        ///< crossings that no valid step reaches
};

inline namespace POLHODE_ISA {

template <int dim>
class FrontOfList {
 public:
  FrontOfList(const CrossingView& list, SelectedPoints& selected) : list_(list), selected_(selected) {}

  void add_unrefined() { ++selected_.unrefined; }
  void count(CrossingCount column, std::int64_t trajectory) {
    if (std::int64_t* const all = selected_.counts.*column) ++all[trajectory];
  }
  void add_point() { ++selected_.found; }
  void count_cell(std::int64_t cell) { selected_.cells[selected_.found - 1] = static_cast<std::uint32_t>(cell); }
  template <class State>
  void store(std::int64_t k, const State& x) {
    const std::int64_t place = selected_.found - 1;
    if (place == k) return;
    list_.trajectory[place] = list_.trajectory[k];
    list_.step[place] = list_.step[k];
    list_.theta[place] = list_.theta[k];
    for_columns<dim>([&](int i) POLHODE_LAMBDA { list_.state[place * dim + i] = x[i]; });
  }

 private:
  const CrossingView& list_;
  SelectedPoints& selected_;
};

/// Selects from the first `count` crossings of a list; `selected` begins with nothing found.
template <class System>
void select_points(const Plan& plan, const PointSelection& selection, const CrossingView& list, std::int64_t count,
                   SelectedPoints& selected) {
  const typename System::template Model<double> model(plan.parameters);
  FrontOfList<System::dim> front(list, selected);
  for (std::int64_t k = 0; k < count; ++k) judge_point<System>(selection, model, list, k, front);
}

}  // namespace POLHODE_ISA
}  // namespace polhode
