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

/// Whether there are 1 to max_explicit_stages stages, a row for each, and one more for the weights.
bool has_shape_of_table(const Rows& rows) {
  return rows.width >= 1 && rows.width <= max_explicit_stages && rows.numbers.size() == rows.width * (rows.width + 1);
}

/// Reason why rows cannot be used as a table, and what to give instead.
struct Problem {
  std::string why, advice;
};

std::string counted(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

Problem problem_of_shape(const Rows& rows) {
  const std::size_t stages = rows.width, count = stages == 0 ? 0 : rows.numbers.size() / stages;
  if (count == stages + 1 && stages > max_explicit_stages)
    return {fmt::format("it has {}", counted(stages, "stage")), fmt::format("Give {} at most", max_explicit_stages)};
  return {fmt::format("it has {} of {}", counted(count, "row"), counted(stages, "number")),
          "Give a row of a_ij for each stage, as many numbers as there are stages, and a last row with the weights"};
}

/// Problem of rows of the right shape; nothing if they are a table.
std::optional<Problem> problem_of_numbers(const Rows& rows) {
  for (std::size_t i = 0; i <= rows.width; ++i)
    for (std::size_t j = 0; j < rows.width; ++j) {
      const double value = rows.numbers[i * rows.width + j];
      const std::string place = fmt::format("it has {} in row {}, column {}, counted from 0", value, i, j);
      if (!(std::abs(value) <= explicit_table_option.most))
        return {{place,
                 fmt::format("Give numbers from {} to {}", explicit_table_option.least, explicit_table_option.most)}};
      if (i < rows.width && j >= i && value != 0)
        return {{place + ", and is not explicit", "Give 0 on the diagonal and above it"}};
    }
  const ExplicitTable table = table_of_rows(rows);
  if (order_of(table) > 0) return {};
  long double sum = 0;
  for (const double weight : table.b) sum += weight;
  return {{fmt::format("its weights sum up to {}", static_cast<double>(sum)), "Give weights whose sum is 1"}};
}

std::optional<Problem> problem_of(const Rows& rows) {
  return has_shape_of_table(rows) ? problem_of_numbers(rows) : problem_of_shape(rows);
}

}  // namespace

ExplicitTable table_of_rows(const Rows& rows) {
  ExplicitTable table{.stages = static_cast<int>(rows.width)};
  for (std::size_t i = 0; i <= rows.width; ++i)
    for (std::size_t j = 0; j < rows.width; ++j)
      (i == rows.width ? table.b[j] : table.a[i][j]) = rows.numbers[i * rows.width + j];
  return table;
}

std::optional<ExplicitTable> table_of_method(const MethodEntry& method, const std::map<std::string, Value>& options) {
  if (!method.table_option) return {};
  const Value value = option_of(method, options, method.table_option);
  if (const auto* const rows = std::get_if<Rows>(&value)) {
    if (const auto problem = problem_of(*rows)) refuse_table(method, problem->why, problem->advice);
    return table_of_rows(*rows);
  }
  const auto& name = std::get<std::string>(value);
  const NamedExplicitTable* const named = find_explicit_table(name);
  if (!named)
    refuse_table(method, fmt::format("unknown value \"{}\"", name),
                 fmt::format("See polhode list methods {}", method.name));
  return named->table;
}

std::optional<GuessedTable> guess_table(const MethodSpec& method) {
  auto given = method.options.find(explicit_table_option.name);
  if (given == method.options.end()) given = method.options.find(layer_option.name);
  if (given == method.options.end()) return GuessedTable();
  if (const auto* const rows = std::get_if<Rows>(&given->second))
    return problem_of(*rows) ? std::nullopt : std::optional(GuessedTable{table_of_rows(*rows)});
  const auto* const name = std::get_if<std::string>(&given->second);
  const NamedExplicitTable* const named = name ? find_explicit_table(*name) : nullptr;
  return named ? std::optional(GuessedTable{named->table}) : std::nullopt;
}

std::string in_words(const ExplicitTable& table) {
  return fmt::format("{}, order {}", table_type_of(table).name, order_of(table));
}

std::string remark_on(const ExplicitTable& table) {
  const std::optional<NearOrder> missed = near_order_of(table);
  if (!missed) return "";
  return fmt::format("{}: it misses order {} by {:.1g}; are all of its digits given?", in_words(table), missed->order,
                     missed->defect);
}

}  // namespace polhode
