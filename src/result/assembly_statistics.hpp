// Statistics of an ensemble in its result.
#pragma once

#include <cstdint>
#include <span>

#include "result/result_writer.hpp"
#include "result/run_description.hpp"

namespace polhode {

/// Writes /statistics. numbers: the records of statistics (records.hpp) of all slices, [slices][times].
void write_statistics(GroupWriter& root, const RunDescription& run, std::span<const double> numbers,
                      std::int64_t slices);

}  // namespace polhode
