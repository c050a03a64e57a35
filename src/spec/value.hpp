// Values of keys of configurations, as text.
#pragma once

#include <string>

#include "polhode/core/run_spec.hpp"

namespace polhode {

/// Whether a real number is one of the integers of 64 bits.
bool is_whole(double value);
/// Reason why a real number such as 1e6 is refused for an integer: TOML tells them apart.
std::string why_no_integer(double value);

/// Value as in TOML; reals to the last bit, and "none" where there is none.
std::string to_text(const Value& value);

}  // namespace polhode
