// Values of keys of configurations, as text.
#pragma once

#include <string>

#include "polhode/core/run_spec.hpp"

namespace polhode {

/// Whether a real number is an integer smaller than 2^63 in magnitude.
bool is_whole(double value);
/// Reason why a whole real number such as 1e6 is refused where an integer must be given: TOML tells the two apart.
std::string why_no_integer(double value);

/// Text of a value as in TOML: real numbers to the last bit, whole ones without a point; "none" for std::monostate.
std::string to_text(const Value& value);

}  // namespace polhode
