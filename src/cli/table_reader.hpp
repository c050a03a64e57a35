// Reader of one table of a configuration, by the rows of the schema; it refuses keys without a row.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "spec/schema.hpp"

namespace polhode {

class TableReader {
 public:
  /// A missing table reads as an empty one. Throws InputError where `name` is not a table.
  TableReader(const toml::table& config, const char* name);

  /// Value of a key; monostate where the key is not given. Throws InputError where its type or shape is not that of the
  /// row, or where it is missing and required.
  Value read(const KeyInfo& key);
  /// Reads all keys of a part of the specification.
  template <class Spec>
  void read_all(Spec& spec) {
    for (const Key<Spec>& key : polhode::table_of<Spec>.keys)
      if (const Value value = read(key); !std::holds_alternative<std::monostate>(value)) key.set(spec, value);
  }
  /// Everything that has not been read yet: numbers, or lists of them.
  std::map<std::string, std::vector<double>> numbers_left();
  /// Everything that has not been read yet: booleans, numbers, texts and lists of numbers.
  std::map<std::string, Value> values_left();

  /// Throws InputError for a key that was never asked for. variant: for the message, what tells the table from others
  /// of its name.
  void finish(std::string_view variant = "") const;

 private:
  [[noreturn]] void fail(std::string_view key, std::string_view why, std::string_view suggestion) const;
  /// place: of an element, for a message, e.g. " in row 0, column 2, counted from 0".
  double as_number(std::string_view key, const toml::node& node, const std::string& place = "") const;
  template <class T>
  T as(const KeyInfo& key, const toml::node& node, const std::string& place = "") const;
  std::vector<double> numbers(std::string_view key, const toml::array& list) const;
  template <class T>
  std::vector<T> list(const KeyInfo& key, const toml::node& node) const;
  Rows rows(const KeyInfo& key, const toml::node& node, const char* element) const;
  Value convert(const KeyInfo& key, const toml::node& node) const;

  const char* name_;
  toml::table table_;
  std::vector<std::string> known_;
};

}  // namespace polhode
