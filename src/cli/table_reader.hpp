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
  /// Reader of the table `name`, or of an empty table where the configuration lacks it. Throws InputError where `name`
  /// is not a table.
  TableReader(const toml::table& config, const char* name);

  /// Value of a key; monostate where the key is not given. Throws InputError where the value does not have the type or
  /// the size of the key, or is none of its choices, and where the key is required and missing.
  Value read(const KeyInfo& key);
  /// Reads all keys of a part of the specification into `spec`; members whose keys are not given stay as they are.
  /// Throws as read().
  template <class Spec>
  void read_all(Spec& spec) {
    for (const Key<Spec>& key : polhode::table_of<Spec>.keys)
      if (const Value value = read(key); !std::holds_alternative<std::monostate>(value)) key.set(spec, value);
  }
  /// Values of all keys that have not been read yet. Throws InputError where one is neither a number nor a list of
  /// numbers.
  std::map<std::string, std::vector<double>> numbers_left();
  /// Values of all keys that have not been read yet. Throws InputError where one is no boolean, number, text, list of
  /// numbers or list of such lists.
  std::map<std::string, Value> values_left();

  /// Throws InputError for a key in the table that has never been read. variant: that of the table (Table in
  /// spec/key.hpp), for the message.
  void finish(std::string_view variant = "") const;

 private:
  [[noreturn]] void fail(std::string_view key, std::string_view why, std::string_view suggestion) const;
  /// Number in a node. place: place of the number in a list, for the message of an InputError, e.g. " in row 0, column
  /// 2, counted from 0".
  double as_number(std::string_view key, const toml::node& node, const std::string& place = "") const;
  template <class T>
  T as(const KeyInfo& key, const toml::node& node, const std::string& place = "") const;
  std::vector<double> numbers(std::string_view key, const toml::array& list) const;
  template <class T>
  std::vector<T> list(const KeyInfo& key, const toml::node& node) const;
  /// Table in a node, whose values are made by `convert`.
  template <class F>
  auto named(const KeyInfo& key, const toml::node& node, const char* advice, F&& convert) const;
  /// Rows of numbers in a node. noun: what a row is called in the message of an InputError, e.g. "state".
  Rows rows(const KeyInfo& key, const toml::node& node, const char* noun) const;
  Value convert(const KeyInfo& key, const toml::node& node) const;

  const char* name_;
  toml::table table_;
  std::vector<std::string> known_;
};

}  // namespace polhode
