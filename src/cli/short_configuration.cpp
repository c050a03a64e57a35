#include "cli/short_configuration.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cstddef>
#include <sstream>

namespace polhode {
namespace {

constexpr std::size_t longest_uncut = 32, kept_elements = 8;

/// Cuts the long lists in a table, and appends a comment on each to `comments`. path: the name of the table with a dot
/// after it, or "" for the whole configuration.
void cut_lists(toml::table& table, const std::string& path, std::string& comments) {
  for (auto&& [key, node] : table) {
    const std::string name = path + std::string(key.str());
    if (toml::table* const inner = node.as_table()) cut_lists(*inner, name + ".", comments);
    toml::array* const list = node.as_array();
    if (!list || list->size() <= longest_uncut) continue;
    comments +=
        fmt::format("\n# {}: the first {} of {}; polhode info --json has all", name, kept_elements, list->size());
    while (list->size() > kept_elements) list->pop_back();
  }
}

}  // namespace

std::string with_short_lists(const std::string& toml) {
  toml::table table;
  try {
    table = toml::parse(toml);
  } catch (const toml::parse_error&) {
    return toml;
  }
  std::string comments;
  cut_lists(table, "", comments);
  if (comments.empty()) return toml;
  std::ostringstream text;
  text << table << comments;
  return text.str();
}

}  // namespace polhode
