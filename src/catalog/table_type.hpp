// Tables of explicit Runge-Kutta methods as types, which kernels are compiled with.
#pragma once

#include <string_view>

#include "modules/module_source.hpp"
#include "polhode/method/explicit_tables.hpp"

namespace polhode {

/// The table of that name, or null.
const NamedExplicitTable* find_explicit_table(std::string_view name);
/// The table with these coefficients, or null.
const NamedExplicitTable* find_explicit_table(const ExplicitTable& table);

/// Type for a table, by its name if it has one.
TableType table_type_of(const ExplicitTable& table);

}  // namespace polhode
