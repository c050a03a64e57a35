// Options of methods as keys of [method].
#pragma once

#include "catalog/catalog.hpp"
#include "spec/schema.hpp"

namespace polhode {

/// The keys of a method's options, `composition` among them, which all methods have.
std::vector<DocumentedKey> option_keys(const MethodEntry& method);
/// Option keys of all methods, each once.
std::vector<DocumentedKey> all_option_keys();

/// The value of the option `name` of a method: as in `options`, or else its default.
Value option_of(const MethodEntry& method, const std::map<std::string, Value>& options, std::string_view name);

/// Completes the options of a specification with their defaults. Throws InputError where one is unknown or cannot be
/// used.
void resolve_options(const MethodEntry& method, MethodSpec& spec);

}  // namespace polhode
