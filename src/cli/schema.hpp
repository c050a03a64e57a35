// Schema of the configuration for people and for editors, from the rows of spec/schema.hpp and from the catalog.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/json.hpp"
#include "spec/schema.hpp"

namespace polhode {

/// JSON Schema (2020-12), with the parameters, methods, solvers and observables of every system.
Json schema_json();

/// Type in words, e.g. "number".
const char* type_text(Type type);

/// Parameters of a system, and other ways to give them, as keys of [system].
std::vector<DocumentedKey> parameter_keys(const SystemEntry& system);

/// Row of a key, which must exist.
const DocumentedKey& find_key(std::string_view table, std::string_view key);
/// Meaning of a key with its choices or bounds and its default, in one line.
std::string describe(const DocumentedKey& key);

}  // namespace polhode
