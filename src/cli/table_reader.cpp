#include "cli/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ensemble/suggestion.hpp"
#include "error.hpp"

namespace polhode {

TableReader::TableReader(const toml::table& config, std::string name) : name_(std::move(name)) {
  const toml::node* node = config.get(name_);
  if (!node) return;
  if (!node->is_table())
    throw InputError(fmt::format("cannot use {} (it is not a table). Write [{}] on a line of its own.", name_, name_));
  table_ = *node->as_table();
}

const toml::node* TableReader::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_.get(key);
}

void TableReader::fail(std::string_view key, std::string_view why, std::string_view suggestion) const {
  throw InputError(fmt::format("cannot use {}.{} ({}). {}.", name_, key, why, suggestion));
}

void TableReader::missing(std::string_view key, std::string_view meaning) const {
  throw InputError(fmt::format("{}.{} is missing ({}). Give it in [{}].", name_, key, meaning, name_));
}

bool TableReader::has(std::string_view key) { return find(key) != nullptr; }

double TableReader::as_number(std::string_view key, const toml::node& node) const {
  const auto value = node.value<double>();
  if (!node.is_number() || !value) fail(key, "it is not a number", "Give a number");
  if (!std::isfinite(*value)) fail(key, "it is not finite", "Give a finite number");
  return *value;
}

std::optional<double> TableReader::number(std::string_view key) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  return as_number(key, *node);
}

std::optional<std::int64_t> TableReader::integer(std::string_view key) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (!node->is_integer()) fail(key, "it is not an integer", "Give an integer that fits into 64 bits");
  return node->as_integer()->get();
}

std::optional<bool> TableReader::boolean(std::string_view key) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (!node->is_boolean()) fail(key, "it is neither true nor false", "Give true or false");
  return node->as_boolean()->get();
}

std::optional<std::string> TableReader::string(std::string_view key) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (!node->is_string()) fail(key, "it is not a string", "Give a string in quotes");
  return node->as_string()->get();
}

std::optional<std::vector<std::string>> TableReader::strings(std::string_view key) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (!node->is_array()) fail(key, "it is not a list", "Give strings in brackets");
  std::vector<std::string> values;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_string()) fail(key, "an element is not a string", "Give strings in brackets");
    values.push_back(element.as_string()->get());
  }
  return values;
}

std::optional<std::vector<double>> TableReader::numbers(std::string_view key) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (!node->is_array()) fail(key, "it is not a list", "Give numbers in brackets");
  std::vector<double> values;
  for (const toml::node& element : *node->as_array()) values.push_back(as_number(key, element));
  return values;
}

std::optional<std::vector<double>> TableReader::numbers_or_one(std::string_view key, std::size_t count) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (!node->is_array()) return std::vector<double>(count, as_number(key, *node));
  std::vector<double> values = *numbers(key);
  if (values.size() != count)
    fail(key, fmt::format("it has {} numbers", values.size()), fmt::format("Give 1, or {}", count));
  return values;
}

std::optional<std::vector<std::int64_t>> TableReader::integers(std::string_view key) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (!node->is_array()) fail(key, "it is not a list", "Give integers in brackets");
  std::vector<std::int64_t> values;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_integer()) fail(key, "an element is not an integer", "Give integers in brackets");
    values.push_back(element.as_integer()->get());
  }
  return values;
}

std::optional<std::vector<double>> TableReader::rows(std::string_view key, std::size_t width) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  const std::string suggestion = fmt::format("Give a list of states, each a list of {} numbers", width);
  if (!node->is_array()) fail(key, "it is not a list", suggestion);
  std::vector<double> values;
  for (const toml::node& row : *node->as_array()) {
    if (!row.is_array()) fail(key, "an element is not a list", suggestion);
    if (row.as_array()->size() != width)
      fail(key, fmt::format("state {} has {} numbers", values.size() / width, row.as_array()->size()), suggestion);
    for (const toml::node& element : *row.as_array()) values.push_back(as_number(key, element));
  }
  return values;
}

std::optional<int> TableReader::choice(std::string_view key, const std::vector<std::string>& choices) {
  const auto text = string(key);
  if (!text) return std::nullopt;
  const auto found = std::find(choices.begin(), choices.end(), *text);
  if (found == choices.end())
    fail(key, fmt::format("unknown value \"{}\"{}", *text, nearest_known(*text, choices)), "Choose one of those");
  return static_cast<int>(found - choices.begin());
}

void TableReader::finish(std::string_view context) const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    throw InputError(fmt::format("unknown key {}.{} ({}{}). Correct or remove it.", name_, name,
                                 context.empty() ? fmt::format("[{}] has no such key", name_) : std::string(context),
                                 nearest_known(name, known_)));
  }
}

}  // namespace polhode
