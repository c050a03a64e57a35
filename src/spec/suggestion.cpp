#include "spec/suggestion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace polhode {
namespace {

/// Insertions, deletions, substitutions and exchanges of neighbours that lead from one to the other (Damerau and
/// Levenshtein; no letter is changed twice).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_known(std::string_view wrong, std::span<const std::string> known) {
  if (known.empty()) return "";
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return edit_distance(wrong, a) < edit_distance(wrong, b);
  });
  const std::size_t distance = edit_distance(wrong, *nearest);
  if (distance < wrong.size() && distance <= std::max<std::size_t>(1, wrong.size() / 2))
    return fmt::format("; nearest known: \"{}\"", *nearest);
  return fmt::format("; known: {}", fmt::join(known, ", "));
}

}  // namespace polhode
