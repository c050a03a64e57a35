#include "cli/key_lists.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "cli/schema.hpp"
#include "modules/own_header.hpp"
#include "spec/method_options.hpp"

namespace polhode {
namespace {

std::string lines_of(const DocumentedTable& table) {
  std::string text = fmt::format("[{}]{}{}\n", table.name, *table.variant ? " " : "", table.variant);
  for (const DocumentedKey& key : table.keys)
    text += fmt::format("  {:<17}{:<18}{}{}\n", key.name, type_text(key.type), describe(key),
                        key.required ? ", required" : "");
  return text;
}

/// Lines of [system]: with the parameters of `system`, or with the keys of formulas if it is of these; or where
/// `system` is null, with the command that lists parameters.
std::string system_lines(DocumentedTable table, const SystemEntry* system) {
  if (!system) return lines_of(table) + "  and the system's parameters: polhode list systems NAME\n";
  table.variant = system->name;
  const bool has_formulas = system->own && system->own->formulas;
  std::erase_if(table.keys, [=](const DocumentedKey& key) {
    const std::string_view name = key.name;
    return has_formulas ? name == "header" : name != "name" && name != "header";
  });
  if (!has_formulas) std::ranges::move(parameter_keys(*system), std::back_inserter(table.keys));
  return lines_of(table);
}

/// Lines of [method]: with the options of `method`, or where `method` is null, with the options of all methods.
std::string method_lines(DocumentedTable table, const MethodEntry* method) {
  if (!method) return lines_of(table);
  table.variant = method->name;
  table.keys.resize(std::size(method_keys));
  std::ranges::move(option_keys(*method), std::back_inserter(table.keys));
  return lines_of(table);
}

/// Whether a table is [ensemble] for the kind of starts, or the distribution, called `starts`.
bool is_of_starts(const DocumentedTable& table, const std::string& starts) {
  return table.name == std::string_view("ensemble") &&
         std::string_view(table.variant).find(fmt::format("\"{}\"", starts)) != std::string_view::npos;
}

}  // namespace

std::string all_keys() {
  std::vector<std::string> lists;
  for (const DocumentedTable& table : documented_schema())
    lists.push_back(table.name == std::string_view("system") ? system_lines(table, nullptr) : lines_of(table));
  return fmt::format("{}", fmt::join(lists, "\n"));
}

std::string keys_with(const NamedParts& names) {
  const std::vector<const SystemEntry*> family = find_systems(names.system);
  const SystemEntry* const system = family.empty() ? nullptr : family.front();
  const MethodEntry* const method = system ? find_method(system->name, names.method) : nullptr;
  std::vector<std::string> lists;
  for (const DocumentedTable& table : documented_schema())
    if (table.name == std::string_view("system"))
      lists.push_back(system_lines(table, system));
    else if (table.name == std::string_view("method"))
      lists.push_back(method_lines(table, method));
    else if (is_of_starts(table, names.starts))
      lists.push_back(lines_of(table));
  return fmt::format("{}", fmt::join(lists, "\n"));
}

}  // namespace polhode
