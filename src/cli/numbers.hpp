// Numbers in messages and reports, as people write them.
#pragma once

#include <string>
#include <vector>

namespace polhode {

/// Number that may have been computed, to 15 digits: 0.3 for 0.1 + 0.2.
std::string as_written(double value);
/// List of such numbers, in brackets.
std::string as_written(const std::vector<double>& values);

/// TOML with the shortest form of every real number that is read as the same one: 0.05 for 0.050000000000000003.
std::string with_short_numbers(const std::string& toml);

}  // namespace polhode
