// The option of methods that are tables of Runge-Kutta methods: the name of a table, or one's own.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "catalog/catalog.hpp"
#include "polhode/core/run_spec.hpp"
#include "polhode/method/explicit_table.hpp"

namespace polhode {

/// Table of a method with these options, or else with its default; nothing for a method that is no table. Throws
/// InputError where there is no such table, or one's own cannot be used.
std::optional<ExplicitTable> table_of_method(const MethodEntry& method, const std::map<std::string, Value>& options);

/// Table that a method will have; nothing: its default, or it is no table.
struct GuessedTable {
  std::optional<ExplicitTable> table;
};
/// Table as the options tell it before the method is known; nothing where it would be refused.
std::optional<GuessedTable> guess_table(const MethodSpec& method);

/// Table of rows, as many as there are stages with their a_ij, and a last one with the weights.
ExplicitTable table_of_rows(const Rows& rows);

/// A table and its order in words, e.g. "dop853, order 8" or "own table, order 3".
std::string in_words(const ExplicitTable& table);

/// Remark on a table that misses an order by as little as digits that were left out; empty for others.
std::string remark_on(const ExplicitTable& table);

}  // namespace polhode
