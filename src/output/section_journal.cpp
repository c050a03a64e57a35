#include "output/section_journal.hpp"

#include <algorithm>

#include "parallel_for.hpp"

namespace polhode {
namespace {

// A block has at least so many points that a thread is worth starting for it, if its list has; and so few that a group
// of it fits into the caches.
constexpr std::int64_t least_points = 1 << 13, most_points = 1 << 18;

}  // namespace

SectionJournal::SectionJournal(const std::filesystem::path& folder) {
  for (int i = 0; i < section_stripes; ++i) stripes_.emplace_back(folder / name(i), sizeof(std::int64_t));
}

void SectionJournal::append(const SectionPoints& points, std::int64_t group, std::span<const int> columns) {
  if (points.size() == 0) return;
  const std::int64_t turn = length_.turns;
  const std::int64_t share = (points.size() + section_stripes - 1) / section_stripes;
  const std::int64_t each = std::clamp(share, least_points, most_points);
  const std::int64_t parts = (points.size() + each - 1) / each;
  try {
    parallel_for(std::min<std::int64_t>(parts, section_stripes), section_stripes, [&](std::int64_t worker) {
      const auto stripe = static_cast<std::size_t>((turn + worker) % section_stripes);  // short lists in turn
      for (std::int64_t part = worker; part < parts; part += section_stripes) {
        const std::int64_t first = part * each;
        blocks_[stripe].make(points, first, std::min(each, points.size() - first), turn, part, group, columns);
        stripes_[stripe].append_parts(blocks_[stripe].parts());
      }
    });
  } catch (...) {
    for (int i = 0; i < section_stripes; ++i)
      stripes_[static_cast<std::size_t>(i)].truncate_to(length_.words[static_cast<std::size_t>(i)]);
    throw;
  }
  length_.points += points.size();
  ++length_.turns;
  for (std::size_t i = 0; i < stripes_.size(); ++i) length_.words[i] = stripes_[i].records();
}

void SectionJournal::sync() {
  for (Journal& stripe : stripes_) stripe.sync();
}

void SectionJournal::truncate_to(const SectionLength& length) {
  for (std::size_t i = 0; i < stripes_.size(); ++i) stripes_[i].truncate_to(length.words[i]);
  length_ = length;
}

}  // namespace polhode
