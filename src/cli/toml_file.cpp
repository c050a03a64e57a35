#include "cli/toml_file.hpp"

#include <fmt/format.h>

#include <CLI/StringTools.hpp>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "error.hpp"
#include "output/result_file.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

/// Adds the names of the tables and keys in a table, such as TABLE and TABLE.KEY. before: names of the tables around
/// it, each with a dot.
void add_paths(const toml::table& table, const std::string& before, std::vector<std::string>& paths) {
  for (const auto& [name, node] : table) {
    paths.push_back(before + std::string(name.str()));
    if (const toml::table* const keys = node.as_table()) add_paths(*keys, paths.back() + ".", paths);
  }
}

/// Parts of a path between its dots.
std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

toml::table parse(const std::filesystem::path& file, const std::string& text) {
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    const auto where = error.source().begin;
    throw InputError(fmt::format("cannot read {} (line {}, column {}: {}). Correct the TOML.", file.string(),
                                 where.line, where.column, error.description()));
  }
}

}  // namespace

toml::table parse_toml(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw InputError(fmt::format("cannot read {} (it is a directory). Give a configuration file.", file.string()));
  std::ifstream stream(file);
  if (!stream)
    throw InputError(fmt::format("cannot read {} (no such file or not readable). Check the path.", file.string()));
  // Read as a whole: a pipe cannot be asked for its size.
  return parse(file, {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
}

toml::table parse_toml_of_result(const std::filesystem::path& file) { return parse(file, read_configuration(file)); }

toml::table parse_own_toml(std::string_view text) { return parse("the configuration", std::string(text)); }

toml::table& subtable(toml::table& config, const std::string& name) {
  if (!config.contains(name)) config.insert(name, toml::table{});
  toml::table* const table = config[name].as_table();
  if (!table)
    throw InputError(fmt::format("cannot use {} (it is not a table). Write [{}] on a line of its own.", name, name));
  return *table;
}

void set_value(toml::table& config, const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(fmt::format(
        "cannot use --set {} (there is no key=value). Write for example --set method.step=0.01.", assignment));
  const std::string path = CLI::detail::trim_copy(assignment.substr(0, equals)), value = assignment.substr(equals + 1);
  const std::vector<std::string> parts = parts_of(path);
  if (parts.size() < 2 || std::ranges::any_of(parts, &std::string::empty))
    throw InputError(fmt::format(
        "cannot use --set {} (the key must be TABLE.KEY). Write for example --set method.step=0.01.", assignment));

  toml::table* target = &subtable(config, parts[0]);
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    target->insert(parts[i], toml::table{});  // where it is missing
    target = (*target)[parts[i]].as_table();
    if (!target)
      throw InputError(
          fmt::format("cannot use --set {} ({} is not a table). Set it as a whole.", assignment, parts[i]));
  }
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + value);
  } catch (const toml::parse_error&) {
    parsed.insert("value", value);
  }
  if (parsed.size() != 1)
    throw InputError(fmt::format("cannot use --set {} (that is more than one value). Repeat --set.", assignment));
  target->insert_or_assign(parts.back(), *parsed.get("value"));
}

void remove_value(toml::table& config, const std::string& path) {
  const std::vector<std::string> parts = parts_of(path);
  toml::table* table = &config;
  for (std::size_t i = 0; table && i + 1 < parts.size(); ++i) table = (*table)[parts[i]].as_table();
  if (table && table->erase(parts.back()) > 0) return;
  std::vector<std::string> known;
  add_paths(config, "", known);
  throw InputError(fmt::format("cannot use --unset {} (the configuration has no such table or key{}). Leave it out.",
                               path, nearest_known(path, known)));
}

}  // namespace polhode
