#include "output/final_records.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "output/records.hpp"

namespace polhode {
namespace {

/// f(column) for the n_batch_arrays arrays of a batch, in its order.
template <class B, class F>
void for_columns(B& batch, const F& f) {
  f(batch.state);
  f(batch.invariants);
  f(batch.max_drift);
  f(batch.steps);
  f(batch.code);
}

}  // namespace

std::array<std::span<const std::byte>, 5> final_records(const Batch& slice) {
  std::array<std::span<const std::byte>, n_batch_arrays> parts;
  auto part = parts.begin();
  for_columns(slice, [&](const auto& column) { *part++ = std::as_bytes(std::span(column)); });
  return parts;
}

Batch final_batch(const std::byte* records, const BatchShape& ensemble, std::int64_t slice, std::int64_t first) {
  Batch batch(std::min(slice, ensemble.n - first), ensemble.dim, ensemble.n_invariants);
  records += static_cast<std::size_t>(first) * final_record_bytes(ensemble);
  for_columns(batch, [&](auto& column) {
    const auto bytes = std::as_writable_bytes(std::span(column));
    if (!bytes.empty()) std::memcpy(bytes.data(), records, bytes.size());
    records += bytes.size();
  });
  return batch;
}

}  // namespace polhode
