// Keys of a configuration by name, TABLE.KEY, for completion.
#pragma once

#include <string>
#include <vector>

namespace polhode {

/// The tables, then all their keys with the parameters of all systems, each once.
std::vector<std::string> table_and_key_names();

/// What --set may be given: TABLE.KEY= for every key or, where `typed` has its "=", the values that are known of it.
std::vector<std::string> complete_assignment(const std::string& typed);

}  // namespace polhode
