// Lists of the configuration's keys for people, a line for each key.
#pragma once

#include <string>

#include "cli/config.hpp"

namespace polhode {

/// Lines of all tables; [method] has the options of all methods, [system] in place of parameters the command that lists
/// them.
std::string all_keys();

/// Lines of [system], [method] and [ensemble] with the keys that go with the names in a configuration. Where the system
/// or the method is not known they are as in all_keys(); where the kind of starts is not known, or of random starts the
/// distribution, [ensemble] is left out.
std::string keys_with(const NamedParts& names);

}  // namespace polhode
