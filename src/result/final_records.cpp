#include "result/final_records.hpp"

#include <algorithm>
#include <cstring>

#include "result/records.hpp"

namespace polhode {

std::vector<std::span<const std::byte>> final_records(const Batch& slice) {
  std::vector<std::span<const std::byte>> parts;
  for_carried([&](const CarriedColumn&, const auto& array) { parts.push_back(std::as_bytes(std::span(array))); },
              slice);
  return parts;
}

void for_each_final(std::span<const std::byte> records, const BatchShape& ensemble, std::int64_t slice,
                    const std::function<void(const Batch&)>& visit) {
  const auto count = static_cast<std::int64_t>(records.size() / final_record_bytes(ensemble));
  for (std::int64_t first = 0; first < count; first += slice)
    visit(final_batch(records.data(), ensemble, slice, first));
}

Batch final_batch(const std::byte* records, const BatchShape& ensemble, std::int64_t slice, std::int64_t first) {
  BatchShape shape = ensemble;
  shape.n = std::min(slice, ensemble.n - first);
  Batch batch(shape);
  records += static_cast<std::size_t>(first) * final_record_bytes(ensemble);
  for_carried(
      [&](const CarriedColumn&, auto& array) {
        const auto bytes = std::as_writable_bytes(std::span(array));
        if (!bytes.empty()) std::memcpy(bytes.data(), records, bytes.size());
        records += bytes.size();
      },
      batch);
  return batch;
}

}  // namespace polhode
