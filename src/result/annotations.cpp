#include "result/annotations.hpp"

#include <algorithm>

namespace polhode {
namespace {

std::vector<std::string> texts_of(const std::vector<Column>& columns, std::string Column::*member) {
  std::vector<std::string> list;
  for (const Column& column : columns) list.push_back(column.*member);
  return list;
}

}  // namespace

std::vector<std::string> names_of(const std::vector<Column>& columns) { return texts_of(columns, &Column::name); }

std::vector<std::string> angles_of(const std::vector<Column>& columns) {
  const bool some = std::ranges::any_of(columns, [](const Column& column) { return !column.angle.empty(); });
  return some ? texts_of(columns, &Column::angle) : std::vector<std::string>();
}

void annotate(ArrayWriter& array, const char* unit, const char* meaning) {
  array.set_attribute("unit", unit);
  array.set_attribute("meaning", meaning);
}

void annotate(ArrayWriter& array, const std::vector<Column>& columns) {
  array.set_attribute("columns", names_of(columns));
  array.set_attribute("unit", texts_of(columns, &Column::unit));
  array.set_attribute("meaning", texts_of(columns, &Column::meaning));
  if (const auto angles = angles_of(columns); !angles.empty()) array.set_attribute("angle", angles);
}

}  // namespace polhode
