#include "result/final_records.hpp"

#include <algorithm>
#include <cstring>

#include "result/records.hpp"

namespace polhode {
namespace {

/// Copies `count` numbers from bytes of any alignment.
template <class T>
void copy(const std::byte* from, std::int64_t count, T* to) {
  if (count > 0) std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
}

}  // namespace

std::vector<std::span<const std::byte>> final_records(const Batch& slice) {
  std::vector<std::span<const std::byte>> parts;
  for_carried([&](const CarriedColumn&, const auto& array) { parts.push_back(std::as_bytes(std::span(array))); },
              slice);
  if (!slice.earlier_drift.empty()) parts.push_back(std::as_bytes(std::span(slice.earlier_drift)));
  return parts;
}

void for_each_final(std::span<const std::byte> records, const FinalShape& ensemble, std::int64_t slice,
                    const std::function<void(const Batch&)>& visit) {
  const auto count = static_cast<std::int64_t>(records.size() / final_record_bytes(ensemble));
  for (std::int64_t first = 0; first < count; first += slice)
    visit(final_part(records, ensemble, slice, first, std::min(slice, ensemble.n - first)));
}

Batch final_part(std::span<const std::byte> records, const FinalShape& ensemble, std::int64_t slice, std::int64_t first,
                 std::int64_t count) {
  BatchShape shape = ensemble;
  shape.n = count;
  Batch batch(shape);
  const std::int64_t before = first % slice, all = std::min(slice, ensemble.n - (first - before));
  const std::byte* from = records.data() + static_cast<std::size_t>(first - before) * final_record_bytes(ensemble);
  for_carried(
      [&]<class T>(const CarriedColumn& column, std::vector<T>& array) {
        for (std::int64_t i = 0; i < column.columns(shape); ++i) {
          copy(from + static_cast<std::size_t>(before) * sizeof(T), count, array.data() + i * count);
          from += static_cast<std::size_t>(all) * sizeof(T);
        }
      },
      batch);
  if (!ensemble.has_earlier_drift) return batch;
  batch.earlier_drift.resize(static_cast<std::size_t>(shape.n_invariants * count));
  for (std::int64_t i = 0; i < shape.n_invariants; ++i, from += static_cast<std::size_t>(all) * sizeof(double))
    copy(from + static_cast<std::size_t>(before) * sizeof(double), count, batch.earlier_drift.data() + i * count);
  return batch;
}

std::vector<std::int64_t> section_counts(std::span<const std::byte> records, const FinalShape& ensemble,
                                         std::int64_t slice, std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(count));
  BatchShape only = ensemble;
  only.n_sections = 0;  // the bytes before that column, which is the first of a section's
  for (std::int64_t done = 0, some = 0; done < count; done += some) {
    const std::int64_t k = first + done, before = k % slice, all = std::min(slice, ensemble.n - (k - before));
    some = std::min(count - done, all - before);
    copy(records.data() + static_cast<std::size_t>(k - before) * final_record_bytes(ensemble) +
             static_cast<std::size_t>(all) * carried_bytes(only) +
             static_cast<std::size_t>(before) * sizeof(std::int64_t),
         some, counts.data() + done);
  }
  return counts;
}

}  // namespace polhode
