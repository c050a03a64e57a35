// Statistics (observer/statistics.hpp) of the states of a system.
#pragma once

#include <cstdint>

#include "polhode/observer/section_function.hpp"
#include "polhode/observer/statistics.hpp"
#include "polhode/run/plan.hpp"

namespace polhode::inline POLHODE_ISA {

/// Takes the statistics of a block of trajectories of a run, as take_statistics() does.
template <class System, class Lanes>
POLHODE_HD void statistics_of_block(const Plan& plan, const StatisticsPlan& statistics, const Lanes& lanes,
                                    const StatesAt& at, std::int64_t block, SampleMoments* moments,
                                    std::int64_t* counts) {
  const typename System::template Model<double> model(plan.parameters);
  const auto observe = [&](int i, std::int64_t k) POLHODE_LAMBDA {
    typename System::template State<double> x;
    for_columns<System::dim>([&](int column) POLHODE_LAMBDA { x[column] = at.state[column * at.n + k]; });
    return model.observe(i, x);
  };
  take_statistics<counts_turns<System>(), has_angle<System>(Angle::wrapped)>(statistics, lanes, at, block, observe,
                                                                             moments, counts);
}

}  // namespace polhode::inline POLHODE_ISA
