// A table of numbers that is printed, and written as JSON, from the same rows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace polhode::bench {

struct Column {
  const char* key;      ///< in JSON
  const char* heading;  ///< in print
  const char* format;   ///< of printf, for one double
};

struct Row {
  std::string name;
  std::vector<double> values;  ///< one for each column; not a number where nothing was measured
};

struct Table {
  const char* key;      ///< in JSON
  const char* heading;  ///< in print
  std::vector<Column> columns;
  std::vector<Row> rows;
  const char* note = "";
};

/// Prints the tables that have rows.
void print(const std::vector<Table>& tables);

/// table -> row -> column -> number, or null where it is not one.
nlohmann::ordered_json to_json(const std::vector<Table>& tables);

}  // namespace polhode::bench
