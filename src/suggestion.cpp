#include "suggestion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "synonyms.hpp"

namespace polhode {
namespace {

/// Least number of insertions, deletions, substitutions and exchanges of neighbours that lead from a to b (Damerau and
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

std::string in_small_letters(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// Name in small letters, its words separated by dashes.
std::string plain(std::string_view name) {
  std::string text = in_small_letters(name);
  std::ranges::replace(text, '_', '-');
  return text;
}

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words{""};
  for (const char c : name)
    if (c == '-')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

bool has_words(std::string_view name, std::string_view wanted) {
  const std::vector<std::string> words = words_of(name);
  return std::ranges::all_of(words_of(wanted), [&](const std::string& word) {
    return !word.empty() && std::ranges::find(words, word) != words.end();
  });
}

/// Whether a name has all words of what `word` is a synonym of; both as plain() makes them.
bool is_synonym(std::string_view word, std::string_view name) {
  return std::ranges::any_of(
      synonyms, [&](const Synonym& synonym) { return synonym.word == word && has_words(name, synonym.meant); });
}

}  // namespace

std::vector<std::string> names_meant(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t least_letters = 2;  // many names would begin with one letter
  const std::string wanted = plain(word);
  std::vector<std::string> meant;
  if (wanted.size() < least_letters) return meant;
  for (const std::string& name : known)
    if (is_synonym(wanted, plain(name)) || plain(name).starts_with(wanted) || has_words(plain(name), wanted))
      meant.push_back(name);
  return meant;
}

std::vector<std::string> near_names(std::string_view wrong, std::span<const std::string> known) {
  if (known.empty()) return {};
  const std::string wanted = plain(wrong);
  const auto is_meant = [&](const std::string& name) {
    return is_synonym(wanted, plain(name)) || has_words(plain(name), wanted);
  };
  if (std::ranges::none_of(known, is_meant)) {
    const auto distance = [&](const std::string& name) {
      return edit_distance(in_small_letters(wrong), in_small_letters(name));
    };
    const std::string& nearest = *std::ranges::min_element(known, {}, distance);
    const std::size_t letters = wrong.size() - std::min(wrong.find_first_not_of('-'), wrong.size());  // of an option
    if (distance(nearest) < letters && distance(nearest) <= std::max<std::size_t>(1, letters / 3)) return {nearest};
  }
  return names_meant(wrong, known);
}

std::string nearest_known(std::string_view wrong, std::span<const std::string> known) {
  if (known.empty()) return "";
  if (const auto near = near_names(wrong, known); !near.empty())
    return fmt::format("; nearest known: \"{}\"", fmt::join(near, "\", \""));
  return fmt::format("; known: {}", fmt::join(known, ", "));
}

}  // namespace polhode
