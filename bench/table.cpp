#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

namespace polhode::bench {
namespace {

std::string formatted(const char* format, double value) {
  if (std::isnan(value)) return "-";
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

int width(const Column& column) { return 2 + std::max(8, static_cast<int>(std::strlen(column.heading))); }

}  // namespace

void print(const std::vector<Table>& tables) {
  for (const Table& table : tables) {
    if (table.rows.empty()) continue;
    std::size_t name_width = std::strlen(table.heading);
    for (const Row& row : table.rows) name_width = std::max(name_width, row.name.size());
    std::printf("\n%-*s", static_cast<int>(name_width), table.heading);
    for (const Column& column : table.columns) std::printf("%*s", width(column), column.heading);
    for (const Row& row : table.rows) {
      std::printf("\n%-*s", static_cast<int>(name_width), row.name.c_str());
      for (std::size_t i = 0; i < table.columns.size(); ++i)
        std::printf("%*s", width(table.columns[i]), formatted(table.columns[i].format, row.values[i]).c_str());
    }
    std::printf("\n%s", table.note);
  }
}

nlohmann::ordered_json to_json(const std::vector<Table>& tables) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const Table& table : tables)
    for (const Row& row : table.rows)
      for (std::size_t i = 0; i < table.columns.size(); ++i)
        json[table.key][row.name][table.columns[i].key] = row.values[i];  // dump writes null for what is no number
  return json;
}

}  // namespace polhode::bench
