// The final batches of slices as records of a journal (records.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "backend/batch.hpp"

namespace polhode {

/// The bytes of a batch's columns, one after another; they are the batch's own.
std::vector<std::span<const std::byte>> final_records(const Batch& slice);

/// The batch of the slice that begins at trajectory `first` of an ensemble in slices; records: the journal's.
Batch final_batch(const std::byte* records, const BatchShape& ensemble, std::int64_t slice, std::int64_t first);

}  // namespace polhode
