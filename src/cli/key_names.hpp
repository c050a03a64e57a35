// Names of configuration keys, TABLE.KEY, and of systems, for completion.
#pragma once

#include <string>
#include <vector>

namespace polhode {

/// Names of all tables, then of all keys, including the parameters of all systems.
std::vector<std::string> table_and_key_names();

/// Values of --set: TABLE.KEY= for every key, or TABLE.KEY=VALUE for the known values of a key once `typed` has a "=".
std::vector<std::string> assignment_candidates(const std::string& typed);

/// Names of the systems that have other descriptions.
std::vector<std::string> description_names();

}  // namespace polhode
