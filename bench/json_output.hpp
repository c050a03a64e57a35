// The JSON file: Google Benchmark's, and the tables beside it.
#pragma once

#include <string>
#include <vector>

#include "table.hpp"

namespace polhode::bench {

/// Adds the tables to the file that Google Benchmark wrote, as "derived", and takes the name of the clock off the names
/// of benchmarks, so that they are those of the tables.
void complete_json(const std::string& path, const std::vector<Table>& tables);

}  // namespace polhode::bench
