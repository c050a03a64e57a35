// The coefficients of a step map that options of its method set.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "polhode/core/run_spec.hpp"

namespace polhode {

/// Coefficients for these options, else their defaults. Throws InputError where the method has no such map.
Coefficients coefficients_of(const MethodEntry& method, const std::map<std::string, OptionValue>& options);

/// A method with the choices among its settings, e.g. `generating-function with kind = "2"`.
std::string name_of_map(const MethodEntry& method, const Coefficients& coefficients);

/// The options of each of a method's maps; one without any if it has a single map.
std::vector<std::map<std::string, OptionValue>> selections_of(const MethodEntry& method);

}  // namespace polhode
