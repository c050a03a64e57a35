// Configurations for people to read, whose lists may be long.
#pragma once

#include <string>

namespace polhode {

/// TOML with only the first elements of lists that are too long to be read, and comments at the end on what is left
/// out; unchanged where no list is too long, and where the text is no TOML.
std::string with_short_lists(const std::string& toml);

}  // namespace polhode
