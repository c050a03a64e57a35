#include "result/section_records.hpp"

#include <cstring>

#include "result/records.hpp"

namespace polhode {

void make_section_records(const SectionPoints& points, std::int64_t first, std::int64_t count,
                          std::vector<std::byte>& records) {
  const std::size_t record_bytes = section_record_bytes(points.dim);
  records.resize(static_cast<std::size_t>(count) * record_bytes);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto point = static_cast<std::size_t>(first + i);
    const SectionRecordHead head{points.trajectory[point], points.step[point], points.theta[point]};
    std::byte* const record = records.data() + static_cast<std::size_t>(i) * record_bytes;
    std::memcpy(record, &head, sizeof(head));
    std::memcpy(record + sizeof(head), &points.state[point * static_cast<std::size_t>(points.dim)],
                record_bytes - sizeof(head));
  }
}

}  // namespace polhode
