// Reads one table of a configuration with checks of every type, and complains of keys that nobody asked for.
#pragma once

#include <toml++/toml.h>
#include <optional>
#include <string>
#include <vector>

namespace polhode {

class TableReader {
 public:
  /// A missing table reads as an empty one. Throws InputError where `name` is not a table.
  TableReader(const toml::table& config, std::string name);

  bool has(std::string_view key);
  std::optional<double> number(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  std::optional<std::string> string(std::string_view key);
  std::optional<std::vector<std::string>> strings(std::string_view key);
  std::optional<std::vector<double>> numbers(std::string_view key);
  /// A list of so many numbers, or one number that stands for all of them.
  std::optional<std::vector<double>> numbers_or_one(std::string_view key, std::size_t count);
  std::optional<std::vector<std::int64_t>> integers(std::string_view key);
  /// A list of lists of `width` numbers each, flattened.
  std::optional<std::vector<double>> rows(std::string_view key, std::size_t width);
  /// Index of the string among the choices.
  std::optional<int> choice(std::string_view key, const std::vector<std::string>& choices);

  /// Throws InputError for a key that was never asked for; `context` says why the others are the ones known.
  void finish(std::string_view context = "") const;

  [[noreturn]] void missing(std::string_view key, std::string_view meaning) const;
  [[noreturn]] void fail(std::string_view key, std::string_view why, std::string_view suggestion) const;

 private:
  const toml::node* find(std::string_view key);
  double as_number(std::string_view key, const toml::node& node) const;

  std::string name_;
  toml::table table_;
  std::vector<std::string> known_;
};

}  // namespace polhode
