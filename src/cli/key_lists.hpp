// Lists of the configuration's keys for people, a line for each key.
#pragma once

#include <string>

#include "cli/config.hpp"

namespace polhode {

/// Keys of all tables; [method] has the options of all methods, [system] no parameters.
std::string all_keys();

/// Keys of [system], [method] and [ensemble] that go with the names in a configuration.
std::string keys_with(const NamedParts& names);

}  // namespace polhode
