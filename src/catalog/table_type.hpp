// Tables of explicit Runge-Kutta methods as types, which kernels are compiled with.
#pragma once

#include <string_view>

#include "modules/module_source.hpp"
#include "polhode/method/explicit_tables.hpp"

namespace polhode {

/// Table with this name, or null.
const NamedExplicitTable* find_explicit_table(std::string_view name);
/// Table with a name that has the coefficients of `table`, or null.
const NamedExplicitTable* find_explicit_table(const ExplicitTable& table);

/// Type for a table: NamedTable of the headers where the table has a name, else one with a definition of its own
/// (TableType::definition).
TableType table_type_of(const ExplicitTable& table);

}  // namespace polhode
