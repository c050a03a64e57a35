#include "catalog/table_type.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace polhode {
namespace {

/// List of numbers in braces, as hexadecimal literals, which are exact.
std::string list_of(std::span<const double> numbers) {
  std::vector<std::string> literals;
  for (const double number : numbers) literals.push_back(fmt::format("{:a}", number));
  return fmt::format("{{{}}}", fmt::join(literals, ", "));
}

std::string definition_of(const ExplicitTable& table) {
  const auto count = static_cast<std::size_t>(table.stages);
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(list_of(std::span(table.a[i]).first(i)));
  return fmt::format(
      "namespace polhode::inline POLHODE_ISA {{\nstruct OwnTable {{\n  static constexpr ExplicitTable value{{.stages = "
      "{},\n    .a = {{{}}},\n    .b = {}}};\n}};\n}}\n",
      table.stages, fmt::join(rows, ",\n      "), list_of(std::span(table.b).first(count)));
}

}  // namespace

const NamedExplicitTable* find_explicit_table(std::string_view name) {
  const auto* const found =
      std::ranges::find_if(explicit_tables, [&](const NamedExplicitTable& table) { return name == table.name; });
  return found == std::end(explicit_tables) ? nullptr : found;
}

const NamedExplicitTable* find_explicit_table(const ExplicitTable& table) {
  const auto* const found = std::ranges::find(explicit_tables, table, &NamedExplicitTable::table);
  return found == std::end(explicit_tables) ? nullptr : found;
}

TableType table_type_of(const ExplicitTable& table) {
  const NamedExplicitTable* const named = find_explicit_table(table);
  if (!named) return {"own table", "OwnTable", definition_of(table)};
  return {named->name, fmt::format("NamedTable<{}>", named - std::begin(explicit_tables)), ""};
}

}  // namespace polhode
