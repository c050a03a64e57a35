// The option of methods that are tables of Runge-Kutta methods: the name of a table, or one's own.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "catalog/catalog.hpp"
#include "polhode/core/run_spec.hpp"
#include "polhode/method/explicit_table.hpp"

namespace polhode {

/// Table of a method: the one that its `options` name or give, or else the default; nothing for a method without an
/// option for it. Throws InputError where no table has the name, or the user's own table cannot be used.
std::optional<ExplicitTable> table_of_method(const MethodEntry& method, const std::map<std::string, Value>& options);

/// Table that a method will have. table: nothing for the method's default table, or for a method without tables.
struct GuessedTable {
  std::optional<ExplicitTable> table;
};
/// Table that the options of a method name or give, known before the method is looked up in the catalog; nothing where
/// no table has the name, or the table that is given cannot be used.
std::optional<GuessedTable> guess_table(const MethodSpec& method);

/// Table from rows [stages + 1][stages]: the a_ij of each stage, and in the last row the weights.
ExplicitTable table_of_rows(const Rows& rows);

/// A table and its order in words, e.g. "dop853, order 8" or "own table, order 3".
std::string in_words(const ExplicitTable& table);

/// Remark on a table that misses an order by so little that digits of it may have been left out; empty for others.
std::string remark_on(const ExplicitTable& table);

}  // namespace polhode
