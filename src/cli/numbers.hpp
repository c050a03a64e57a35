// Numbers in messages and reports, as people write them.
#pragma once

#include <string>
#include <vector>

namespace polhode {

/// A number that may have been computed, to 15 digits, so that 0.1 + 0.2 is 0.3.
std::string as_written(double value);
/// A list of them, in brackets.
std::string as_written(const std::vector<double>& values);

/// TOML with every real number in as few digits as tell it from all others: 0.05 for 0.050000000000000003.
std::string with_short_numbers(const std::string& toml);

}  // namespace polhode
