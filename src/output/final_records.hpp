// The final batches of slices as records of a journal (records.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "backend/batch.hpp"

namespace polhode {

inline constexpr int n_batch_arrays = 5;  ///< of a Batch

/// The bytes of a slice's records, one part after another; they are the batch's own.
std::array<std::span<const std::byte>, n_batch_arrays> final_records(const Batch& slice);

/// The batch of the slice that begins at trajectory `first` of an ensemble in slices; records: the journal's.
Batch final_batch(const std::byte* records, const BatchShape& ensemble, std::int64_t slice, std::int64_t first);

}  // namespace polhode
