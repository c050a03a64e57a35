// The final batches of slices as records (records.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "backend/batch.hpp"
#include "result/records.hpp"

namespace polhode {

/// The bytes of a batch's columns in turn; they refer to the batch.
std::vector<std::span<const std::byte>> final_records(const Batch& slice);

/// Visits the batches of all slices recorded so far, for an ensemble in slices.
void for_each_final(std::span<const std::byte> records, const FinalShape& ensemble, std::int64_t slice,
                    const std::function<void(const Batch&)>& visit);

/// Trajectories first, ..., first + count - 1, all of one slice, of an ensemble in slices; records: those of all
/// slices.
Batch final_part(std::span<const std::byte> records, const FinalShape& ensemble, std::int64_t slice, std::int64_t first,
                 std::int64_t count);

/// The numbers of section points of these trajectories, of any slices.
std::vector<std::int64_t> section_counts(std::span<const std::byte> records, const FinalShape& ensemble,
                                         std::int64_t slice, std::int64_t first, std::int64_t count);

}  // namespace polhode
