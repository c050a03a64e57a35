// Section points as records (records.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/section_points.hpp"

namespace polhode {

/// Replaces `records` by those of `count` points from `first` on.
void make_section_records(const SectionPoints& points, std::int64_t first, std::int64_t count,
                          std::vector<std::byte>& records);

}  // namespace polhode
