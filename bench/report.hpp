// What the medians say: speeds, ratios, costs, and how near they come to the limit of the machine.
#pragma once

#include <vector>

#include "collector.hpp"
#include "table.hpp"

namespace polhode::bench {

/// The tables of what was measured; rows of what was left out are missing.
std::vector<Table> report(const Collector& collected);

}  // namespace polhode::bench
