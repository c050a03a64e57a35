#include "spec/suggestion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace polhode {
namespace {

/// Levenshtein distance: insertions, deletions and substitutions.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j)
      diagonal = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, diagonal + (a[i] != b[j])}));
  }
  return row.back();
}

}  // namespace

std::string nearest_known(std::string_view wrong, std::span<const std::string> known) {
  if (known.empty()) return "";
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return edit_distance(wrong, a) < edit_distance(wrong, b);
  });
  if (edit_distance(wrong, *nearest) <= std::max<std::size_t>(1, wrong.size() / 2))
    return fmt::format("; nearest known: \"{}\"", *nearest);
  return fmt::format("; known: {}", fmt::join(known, ", "));
}

}  // namespace polhode
