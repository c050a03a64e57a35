#include "cli/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "error.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

std::string in_element(std::size_t i) { return fmt::format(" in element {}, counted from 0", i); }
std::string in_row(std::size_t row, std::size_t column) {
  return fmt::format(" in row {}, column {}, counted from 0", row, column);
}

}  // namespace

TableReader::TableReader(const toml::table& config, const char* name) : name_(name) {
  const toml::node* node = config.get(name_);
  if (!node) return;
  if (!node->is_table())
    throw InputError(fmt::format("cannot use {} (it is not a table). Write [{}] on a line of its own.", name_, name_));
  table_ = *node->as_table();
}

void TableReader::fail(std::string_view key, std::string_view why, std::string_view suggestion) const {
  throw InputError(fmt::format("cannot use {}.{} ({}). {}.", name_, key, why, suggestion));
}

double TableReader::as_number(std::string_view key, const toml::node& node, const std::string& place) const {
  const auto value = node.value<double>();
  if (!node.is_number() || !value) fail(key, "it is not a number" + place, "Give a number");
  if (!std::isfinite(*value)) fail(key, "it is not finite" + place, "Give a finite number");
  return *value;
}

template <>
double TableReader::as(const KeyInfo& key, const toml::node& node, const std::string& place) const {
  return as_number(key.name, node, place);
}
template <>
std::int64_t TableReader::as(const KeyInfo& key, const toml::node& node, const std::string& place) const {
  if (node.is_integer()) return node.as_integer()->get();
  const toml::value<double>* const real = node.as_floating_point();
  if (real && is_whole(real->get()))
    fail(key.name, why_no_integer(real->get()) + place, fmt::format("Give {:.0f}", real->get()));
  fail(key.name, "it is not an integer" + place, "Give an integer that fits into 64 bits");
}
template <>
bool TableReader::as(const KeyInfo& key, const toml::node& node, const std::string& place) const {
  if (!node.is_boolean()) fail(key.name, "it is neither true nor false" + place, "Give true or false");
  return node.as_boolean()->get();
}
template <>
std::string TableReader::as(const KeyInfo& key, const toml::node& node, const std::string& place) const {
  if (!node.is_string()) fail(key.name, "it is not a string" + place, "Give a string in quotes");
  return node.as_string()->get();
}

std::vector<double> TableReader::numbers(std::string_view key, const toml::array& list) const {
  std::vector<double> values;
  for (const toml::node& element : list) values.push_back(as_number(key, element, in_element(values.size())));
  return values;
}

template <class T>
std::vector<T> TableReader::list(const KeyInfo& key, const toml::node& node) const {
  if (!node.is_array())
    fail(key.name, "it is not a list",
         std::is_same_v<T, std::string> ? "Give strings in brackets" : "Give numbers in brackets");
  std::vector<T> values;
  for (const toml::node& element : *node.as_array()) values.push_back(as<T>(key, element, in_element(values.size())));
  return values;
}

template <class F>
auto TableReader::named(const KeyInfo& key, const toml::node& node, const char* advice, F&& convert) const {
  if (!node.is_table()) fail(key.name, "it is not a table", advice);
  std::map<std::string, std::invoke_result_t<F, const KeyInfo&, const toml::node&>> values;
  for (const auto& [name, element] : *node.as_table()) {
    const std::string place = fmt::format("{}.{}", key.name, std::string_view(name.str()));
    const KeyInfo of_element{.name = place.c_str(), .type = key.type, .unit = "1", .meaning = ""};
    values.emplace(name.str(), convert(of_element, element));
  }
  return values;
}

Rows TableReader::rows(const KeyInfo& key, const toml::node& node, const char* noun) const {
  const auto suggestion = [&](std::size_t width) {
    return fmt::format("Give a list of {}s, each a list of {} numbers", noun, width);
  };
  const auto fail_without_lists = [&](const char* why) {
    fail(key.name, why, fmt::format("Give a list of {}s, each a list of numbers", noun));
  };
  if (!node.is_array()) fail_without_lists("it is not a list");
  Rows rows;
  if (key.type == Type::intervals) rows.width = 2;
  std::size_t count = 0;
  for (const toml::node& row : *node.as_array()) {
    if (!row.is_array()) fail_without_lists("an element is not a list");
    const std::size_t width = row.as_array()->size();
    if (rows.width == 0) rows.width = width;
    if (rows.width == 0) fail_without_lists("an element is empty");
    if (width != rows.width)
      fail(key.name, fmt::format("{} {} has {} numbers", noun, count, width), suggestion(rows.width));
    for (const toml::node& number : *row.as_array())
      rows.numbers.push_back(as_number(key.name, number, in_row(count, rows.numbers.size() - count * rows.width)));
    ++count;
  }
  return rows;
}

Value TableReader::convert(const KeyInfo& key, const toml::node& node) const {
  switch (key.type) {
    case Type::boolean: return as<bool>(key, node);
    case Type::integer: return as<std::int64_t>(key, node);
    case Type::real: return as<double>(key, node);
    case Type::text:
    case Type::choice: return as<std::string>(key, node);
    case Type::integers: return list<std::int64_t>(key, node);
    case Type::reals: return list<double>(key, node);
    case Type::real_or_reals:
      return node.is_array() ? list<double>(key, node) : std::vector<double>{as_number(key.name, node)};
    case Type::choice_or_reals: return node.is_array() ? Value(list<double>(key, node)) : as<std::string>(key, node);
    case Type::texts: return list<std::string>(key, node);
    case Type::choice_or_rows: return node.is_array() ? Value(rows(key, node, "row")) : as<std::string>(key, node);
    case Type::intervals: return rows(key, node, "interval");
    case Type::states: return rows(key, node, "state");
    case Type::named_numbers:
      return named(key, node, "Write {name = 1.0}", [this](const KeyInfo& of, const toml::node& value) {
        return value.is_array() ? numbers(of.name, *value.as_array()) : std::vector{as_number(of.name, value)};
      });
    case Type::named_texts:
      return named(key, node, "Write {name = \"a formula\"}",
                   [this](const KeyInfo& of, const toml::node& value) { return as<std::string>(of, value); });
  }
  return {};
}

Value TableReader::read(const KeyInfo& key) {
  known_.emplace_back(key.name);
  const toml::node* node = table_.get(key.name);
  if (!node) {
    if (key.required) refuse_missing(name_, key);
    return {};
  }
  Value value = convert(key, *node);
  check_shape(name_, key, value);
  return value;
}

std::map<std::string, std::vector<double>> TableReader::numbers_left() {
  std::map<std::string, std::vector<double>> numbers;
  for (const auto& [name, node] : table_) {
    const std::string key(name.str());
    if (std::ranges::find(known_, key) != known_.end()) continue;
    if (!node.is_array() && !node.is_number()) fail(key, "it is not a number", "Give a number, or a list of numbers");
    numbers[key] = node.is_array() ? this->numbers(key, *node.as_array()) : std::vector{as_number(key, node)};
  }
  return numbers;
}

std::map<std::string, Value> TableReader::values_left() {
  std::map<std::string, Value> values;
  for (const auto& [name, node] : table_) {
    const std::string key(name.str());
    if (std::ranges::find(known_, key) != known_.end()) continue;
    const KeyInfo row{.name = key.c_str(), .type = Type::reals, .unit = "1", .meaning = ""};
    if (node.is_boolean())
      values[key] = as<bool>(row, node);
    else if (node.is_integer())
      values[key] = as<std::int64_t>(row, node);
    else if (node.is_number())
      values[key] = as<double>(row, node);
    else if (node.is_string())
      values[key] = as<std::string>(row, node);
    else if (node.is_array() && !node.as_array()->empty() && node.as_array()->front().is_array())
      values[key] = rows(row, node, "row");
    else
      values[key] = list<double>(row, node);
  }
  return values;
}

void TableReader::finish(std::string_view variant) const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::ranges::find(known_, name) != known_.end()) continue;
    throw InputError(fmt::format("unknown key {}.{} ({}{}). Correct or remove it.", name_, name,
                                 variant.empty() ? fmt::format("[{}] has no such key", name_) : std::string(variant),
                                 nearest_known(name, known_)));
  }
}

}  // namespace polhode
