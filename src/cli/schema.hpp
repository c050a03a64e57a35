// The schema of the configuration for people and for editors. Both are made of the rows of spec/schema.hpp and of the
// catalog.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "spec/schema.hpp"

namespace polhode {

/// A JSON Schema (2020-12). What depends on the system, its parameters, methods, solvers and observables, is in it for
/// each of them.
nlohmann::ordered_json schema_json();

/// E.g. "number".
const char* type_text(Type type);

/// All keys with types, bounds and defaults, a line each.
std::string schema_text();

/// The row of a key that is there whatever else the configuration holds.
const DocumentedKey& find_key(std::string_view table, std::string_view key);
/// What may be said of it in one line: its meaning, with the choices or bounds and the default.
std::string describe(const DocumentedKey& key);

}  // namespace polhode
