// Statistics of an ensemble in its result file.
#pragma once

#include "output/assembly.hpp"
#include "output/h5.hpp"

namespace polhode {

/// /statistics, from the records of all slices.
void write_statistics(h5::File& file, const RunResult& result);

}  // namespace polhode
