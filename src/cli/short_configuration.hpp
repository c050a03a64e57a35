// Configurations for people to read, whose lists may be long.
#pragma once

#include <string>

namespace polhode {

/// TOML with the first elements of lists that are too long to be read, and comments at its end on what is left out;
/// unchanged where there is none, and where it is no TOML.
std::string with_short_lists(const std::string& toml);

}  // namespace polhode
