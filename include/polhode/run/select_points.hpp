// Selection from a list of refined crossings in one thread.
#pragma once

#include <cstdint>

#include "polhode/run/judge_point.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

/// Points that a thread selects. Stored points move to the front of the list that they come from, in their order.
struct SelectedPoints {
  std::int64_t* section_count;        ///< [n], incremented for each point of a trajectory; null: not counted
  std::uint32_t* cells;               ///< [found], the cell of each point; null without a density
  std::int64_t* round_off = nullptr;  ///< [n], incremented for each change of sign that is round-off; null: not counted
  std::int64_t found = 0;             ///< stored or counted
  std::int64_t unrefined = 0;         ///< crossings that no valid step reaches
};

inline namespace POLHODE_ISA {

template <int dim>
class FrontOfList {
 public:
  FrontOfList(const CrossingView& list, SelectedPoints& selected) : list_(list), selected_(selected) {}

  void add_unrefined() { ++selected_.unrefined; }
  void add_round_off(std::int64_t trajectory) {
    if (selected_.round_off) ++selected_.round_off[trajectory];
  }
  void add_point(std::int64_t trajectory) {
    ++selected_.found;
    if (selected_.section_count) ++selected_.section_count[trajectory];
  }
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
