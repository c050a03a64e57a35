#include "result/annotations.hpp"

#include <algorithm>

namespace polhode {
namespace {

std::vector<std::string> all(const std::vector<Column>& columns, std::string Column::*part) {
  std::vector<std::string> list;
  for (const Column& column : columns) list.push_back(column.*part);
  return list;
}

}  // namespace

std::vector<std::string> names_of(const std::vector<Column>& columns) { return all(columns, &Column::name); }

std::vector<std::string> angles_of(const std::vector<Column>& columns) {
  const bool some = std::ranges::any_of(columns, [](const Column& column) { return !column.angle.empty(); });
  return some ? all(columns, &Column::angle) : std::vector<std::string>();
}

void annotate(ArrayWriter& array, const char* unit, const char* meaning) {
  array.set_attribute("unit", unit);
  array.set_attribute("meaning", meaning);
}

void annotate(ArrayWriter& array, const std::vector<Column>& columns) {
  array.set_attribute("columns", names_of(columns));
  array.set_attribute("unit", all(columns, &Column::unit));
  array.set_attribute("meaning", all(columns, &Column::meaning));
  if (const auto angles = angles_of(columns); !angles.empty()) array.set_attribute("angle", angles);
}

}  // namespace polhode
