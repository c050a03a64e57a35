// Statistics of a slice as a record.
#pragma once

#include <vector>

#include "backend/stored_states.hpp"

namespace polhode {

/// Record of statistics, as result/records.hpp describes it.
std::vector<double> statistics_record(const SliceStatistics& statistics);

}  // namespace polhode
