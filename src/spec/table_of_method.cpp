#include "spec/table_of_method.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "catalog/table_type.hpp"
#include "polhode/method/explicit_table_option.hpp"
#include "spec/method_options.hpp"
#include "spec/order_conditions.hpp"
#include "spec/schema.hpp"

namespace polhode {
namespace {

[[noreturn]] void refuse_table(const MethodEntry& method, const std::string& why, const std::string& advice) {
  refuse(table_of<MethodSpec>.name, method.table_option, why, advice);
}

/// Whether there is a row for each stage and one for the weights.
bool has_shape_of_table(const Rows& rows) {
  return rows.width >= 1 && rows.width <= max_explicit_stages && rows.numbers.size() == rows.width * (rows.width + 1);
}

/// Table of rows of that shape.
ExplicitTable table_of_rows(const Rows& rows) {
  ExplicitTable table{.stages = static_cast<int>(rows.width)};
  for (std::size_t i = 0; i <= rows.width; ++i)
    for (std::size_t j = 0; j < rows.width; ++j)
      (i == rows.width ? table.b[j] : table.a[i][j]) = rows.numbers[i * rows.width + j];
  return table;
}

/// Throws InputError unless the rows hold a table.
void check_rows(const MethodEntry& method, const Rows& rows) {
  const std::size_t stages = rows.width, count = rows.width == 0 ? 0 : rows.numbers.size() / rows.width;
  if (count != stages + 1 || stages == 0)
    refuse_table(method, fmt::format("it has {} rows of {} numbers", count, stages),
                 "Give a row of a_ij for each stage, as many numbers as there are stages, and a last row with the "
                 "weights");
  if (stages > max_explicit_stages)
    refuse_table(method, fmt::format("it has {} stages", stages), fmt::format("Give {} at most", max_explicit_stages));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < stages; ++j) {
      const double value = rows.numbers[i * stages + j];
      if (!(std::abs(value) <= explicit_table_option.most))
        refuse_table(
            method, fmt::format("it has {} in row {}, column {}, counted from 0", value, i, j),
            fmt::format("Give numbers from {} to {}", explicit_table_option.least, explicit_table_option.most));
      if (j >= i && value != 0)
        refuse_table(method,
                     fmt::format("it has {} in row {}, column {}, counted from 0, and is not explicit", value, i, j),
                     "Give 0 on the diagonal and above it");
    }
}

ExplicitTable own_table(const MethodEntry& method, const Rows& rows) {
  check_rows(method, rows);
  const ExplicitTable table = table_of_rows(rows);
  double sum = 0;
  for (const double weight : table.b) sum += weight;
  if (order_of(table) == 0)
    refuse_table(method, fmt::format("its weights sum up to {:.15g}", sum), "Give weights whose sum is 1");
  return table;
}

}  // namespace

std::optional<ExplicitTable> table_of_method(const MethodEntry& method, const std::map<std::string, Value>& options) {
  if (!method.table_option) return {};
  const Value value = option_of(method, options, method.table_option);
  if (const auto* const rows = std::get_if<Rows>(&value)) return own_table(method, *rows);
  const auto& name = std::get<std::string>(value);
  const NamedExplicitTable* const named = find_explicit_table(name);
  if (!named) refuse_table(method, fmt::format("unknown value \"{}\"", name), fmt::format("See polhode list methods {}", method.name));
  return named->table;
}

std::optional<ExplicitTable> guess_table(const MethodSpec& method) {
  auto given = method.options.find(explicit_table_option.name);
  if (given == method.options.end()) given = method.options.find(layer_option.name);
  if (given == method.options.end()) return {};
  if (const auto* const rows = std::get_if<Rows>(&given->second))
    return has_shape_of_table(*rows) ? std::optional(table_of_rows(*rows)) : std::nullopt;
  const auto* const name = std::get_if<std::string>(&given->second);
  const NamedExplicitTable* const named = name ? find_explicit_table(*name) : nullptr;
  return named ? std::optional(named->table) : std::nullopt;
}

std::string in_words(const ExplicitTable& table) {
  return fmt::format("{}, order {}", table_type_of(table).name, order_of(table));
}

}  // namespace polhode
