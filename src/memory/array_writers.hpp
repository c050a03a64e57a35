// Writers of results as arrays in memory.
#pragma once

#include "polhode/core/ensemble.hpp"
#include "result/assembly.hpp"

namespace polhode {

/// Adds to `result` the arrays and attributes that are made of a run's records.
void write_into(Result& result, const RunRecords& records);

}  // namespace polhode
