// Content of this build as JSON: an array with an object for each system, method or backend.
#pragma once

#include "cli/json.hpp"

namespace polhode {

Json systems_json();
Json methods_json();   ///< one entry for each method on each system
Json sections_json();  ///< for each system its observables, any of which a section may use, and its chart
Json backends_json();

}  // namespace polhode
