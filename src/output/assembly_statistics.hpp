// Statistics of an ensemble in its result file.
#pragma once

#include <cstdint>
#include <span>

#include "output/h5.hpp"
#include "output/run_description.hpp"

namespace polhode {

/// /statistics. numbers: the records (records.hpp) of all slices, one after another, each of them of all times.
void write_statistics(h5::File& file, const RunDescription& run, std::span<const double> numbers, std::int64_t slices);

}  // namespace polhode
