// Attributes that describe the numbers of an array.
#pragma once

#include <string>
#include <vector>

#include "result/result_writer.hpp"
#include "result/run_description.hpp"

namespace polhode {

std::vector<std::string> names_of(const std::vector<Column>& columns);
/// Kinds of angle of the columns (Column::angle), an empty text for a column that is no angle; an empty list if no
/// column is an angle.
std::vector<std::string> angles_of(const std::vector<Column>& columns);

/// Sets the attributes `unit` and `meaning` of an array.
void annotate(ArrayWriter& array, const char* unit, const char* meaning);
/// Sets the attributes `columns`, `unit`, `meaning` and, if there are angles, `angle` of an array, each with one value
/// for each index of the last dimension.
void annotate(ArrayWriter& array, const std::vector<Column>& columns);

}  // namespace polhode
