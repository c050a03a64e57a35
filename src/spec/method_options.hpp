// Options of methods as keys of [method].
#pragma once

#include "catalog/catalog.hpp"
#include "spec/schema.hpp"

namespace polhode {

/// Keys of a method's options; the first is `composition`, an option of all methods.
std::vector<DocumentedKey> option_keys(const MethodEntry& method);
/// Keys of the options of all methods, each once, with limits that include those of every method.
std::vector<DocumentedKey> all_option_keys();

/// The value of the option `name`, which the method must have: as in `options`, or else its default.
Value option_of(const MethodEntry& method, const std::map<std::string, Value>& options, std::string_view name);

/// Completes the options of a specification with their defaults, and converts integers that are given for reals, and
/// numbers that are given for choices. Throws InputError where an option is unknown or cannot be used.
void resolve_options(const MethodEntry& method, MethodSpec& spec);

}  // namespace polhode
