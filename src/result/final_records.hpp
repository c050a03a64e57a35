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

/// Bytes of the columns of a slice's final batch, in the order of for_carried() (polhode/run/carried.hpp), then of its
/// earlier drifts, if it has any. They are not copied: the batch must outlive the result.
std::vector<std::span<const std::byte>> final_records(const Batch& slice);

/// Calls visit(batch) for the final batches of all slices that `records` has so far, of an ensemble in slices of
/// `slice` trajectories.
void for_each_final(std::span<const std::byte> records, const FinalShape& ensemble, std::int64_t slice,
                    const std::function<void(const Batch&)>& visit);

/// Final batch of trajectories first, ..., first + count - 1, which are of one slice. records: the final records of all
/// slices, of `slice` trajectories each but the last.
Batch final_part(std::span<const std::byte> records, const FinalShape& ensemble, std::int64_t slice, std::int64_t first,
                 std::int64_t count);

/// Numbers of section points of trajectories first, ..., first + count - 1, which may be of several slices: [count].
std::vector<std::int64_t> section_counts(std::span<const std::byte> records, const FinalShape& ensemble,
                                         std::int64_t slice, std::int64_t first, std::int64_t count);

}  // namespace polhode
