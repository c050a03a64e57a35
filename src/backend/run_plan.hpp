// Input of a backend: the plan of the time loop, and what is made of the points and states that it hands out. Plain
// data.
#pragma once

#include "polhode/observer/selection.hpp"
#include "polhode/observer/statistics.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

struct AddedObservables;

struct RunPlan : Plan {
  PointSelection selection;                 ///< of section points
  StatisticsPlan statistics;                ///< of the states at steps divisible by statistics_every
  const AddedObservables* added = nullptr;  ///< observables after the system's own; null: there are none
};

}  // namespace polhode
