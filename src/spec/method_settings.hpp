// The options of a step map that options of its method set.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "polhode/core/run_spec.hpp"

namespace polhode {

/// Options of the step map for these of the method, else their defaults. Throws InputError where the method has no such
/// map.
MapOptions map_options_of(const MethodEntry& method, const std::map<std::string, Value>& options);

/// A method with the choices among its settings, e.g. `generating-function with kind = "2"`.
std::string name_of_map(const MethodEntry& method, const MapOptions& options);

/// The options of each of a method's maps; one without any if it has a single map.
std::vector<std::map<std::string, Value>> selections_of(const MethodEntry& method);

}  // namespace polhode
