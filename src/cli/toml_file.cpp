#include "cli/toml_file.hpp"

#include <fmt/format.h>

#include <CLI/StringTools.hpp>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "error.hpp"
#include "output/result_file.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

/// Names of the tables and keys in a configuration, TABLE and TABLE.KEY.
std::vector<std::string> paths_in(const toml::table& config) {
  std::vector<std::string> paths;
  for (const auto& [name, node] : config) {
    const std::string table(name.str());
    paths.push_back(table);
    if (const toml::table* keys = node.as_table())
      for (const auto& [key, value] : *keys) paths.push_back(table + "." + std::string(key.str()));
  }
  return paths;
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
  const auto dot = path.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == path.size() || path.find('.', dot + 1) != std::string::npos)
    throw InputError(fmt::format(
        "cannot use --set {} (the key must be TABLE.KEY). Write for example --set method.step=0.01.", assignment));
  const std::string table = path.substr(0, dot), key = path.substr(dot + 1);

  toml::table& target = subtable(config, table);
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + value);
  } catch (const toml::parse_error&) {
    parsed.insert("value", value);
  }
  if (parsed.size() != 1)
    throw InputError(fmt::format("cannot use --set {} (that is more than one value). Repeat --set.", assignment));
  target.insert_or_assign(key, *parsed.get("value"));
}

void remove_value(toml::table& config, const std::string& path) {
  const std::string name = path.substr(0, path.find('.'));
  toml::table* const table = config[name].as_table();
  const bool is_removed =
      name == path ? config.erase(name) > 0 : table && table->erase(path.substr(name.size() + 1)) > 0;
  if (!is_removed)
    throw InputError(fmt::format("cannot use --unset {} (the configuration has no such table or key{}). Leave it out.",
                                 path, nearest_known(path, paths_in(config))));
}

}  // namespace polhode
