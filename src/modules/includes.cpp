#include "modules/includes.hpp"

#include <algorithm>
#include <cstddef>

namespace polhode {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

}  // namespace

std::optional<std::string_view> rest_after(std::string_view line, std::string_view word) {
  line = without_blanks(line);
  if (!line.starts_with(word)) return {};
  return without_blanks(line.substr(word.size()));
}

std::optional<Include> include_of(std::string_view line) {
  const std::optional<std::string_view> directive = rest_after(line, "#");
  if (!directive) return {};
  for (const char* const word : {"include_next", "include", "import"})
    if (const auto name = rest_after(*directive, word); name && (name->starts_with('"') || name->starts_with('<'))) {
      const bool in_quotes = name->front() == '"';
      return Include{name->substr(1, std::min(name->find(in_quotes ? '"' : '>', 1), name->size()) - 1), in_quotes};
    }
  return {};
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

}  // namespace polhode
