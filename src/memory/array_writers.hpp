// Writers of results as arrays in memory.
#pragma once

#include "polhode/core/ensemble.hpp"
#include "result/assembly.hpp"

namespace polhode {

/// Adds the arrays and attributes that are made of a run's records.
void write_into(Result& arrays, const RunRecords& result);

}  // namespace polhode
