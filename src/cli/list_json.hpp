// Content of this build as JSON: an array with an object for each system, method or backend.
#pragma once

#include <nlohmann/json.hpp>

namespace polhode {

nlohmann::ordered_json systems_json();
nlohmann::ordered_json methods_json();   ///< one entry for each method on each system
nlohmann::ordered_json sections_json();  ///< observables of each system, any of which may be a section, and its chart
nlohmann::ordered_json backends_json();

}  // namespace polhode
