// What this build offers, as JSON: an array with an object for each system, method or backend.
#pragma once

#include <nlohmann/json.hpp>

namespace polhode {

nlohmann::ordered_json systems_json();
nlohmann::ordered_json methods_json();   ///< of each system
nlohmann::ordered_json sections_json();  ///< what may be a section of each system, and its chart
nlohmann::ordered_json backends_json();

}  // namespace polhode
