// The value of a key of a configuration, whatever front end it comes from.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "polhode/core/run_spec.hpp"

namespace polhode {

/// monostate: none.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>, Rows>;

/// Whether a real number is one of the integers of 64 bits.
bool is_whole(double value);
/// Reason why a real number such as 1e6 is refused for an integer: TOML tells them apart.
std::string why_no_integer(double value);

/// Value as in TOML; reals to the last bit, and "none" where there is none.
std::string to_text(const Value& value);

}  // namespace polhode
