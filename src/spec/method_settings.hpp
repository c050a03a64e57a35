// Options of a step map, as the options of its method set them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "polhode/core/run_spec.hpp"

namespace polhode {

/// Options of the step map of a method, as the method's `options` set them, or else their defaults. Throws InputError
/// where the method has no map with them.
MapOptions map_options_of(const MethodEntry& method, const std::map<std::string, Value>& options);

/// Name of a method's map: the method with the choices among its settings, e.g. `generating-function with kind = "2"`.
std::string name_of_map(const MethodEntry& method, const MapOptions& options);

/// Sets of options, each of which selects one of a method's maps; a single empty set where no option selects a map.
std::vector<std::map<std::string, Value>> selections_of(const MethodEntry& method);

}  // namespace polhode
