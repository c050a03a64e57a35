// Numbers in messages and reports, as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polhode {

/// Number that may have been computed, to 15 digits: 0.3 for 0.1 + 0.2.
std::string as_written(double value);
/// List of numbers to 15 digits, in brackets.
std::string as_written(const std::vector<double>& values);

/// A number of things in words, e.g. "1 trajectory", "2 trajectories".
std::string counted(std::int64_t count, const char* one, const char* many);

/// TOML in which every real number has the shortest form that is read as the same number: 0.05 for
/// 0.050000000000000003.
std::string with_short_numbers(const std::string& toml);

}  // namespace polhode
