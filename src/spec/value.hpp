// The value of a key of a configuration, whatever front end it comes from.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace polhode {

/// low, high.
using Interval = std::array<double, 2>;

/// A list of lists of equal length.
struct Rows {
  std::vector<double> numbers;  ///< [rows][width]
  std::size_t width = 0;
  bool operator==(const Rows&) const = default;
};

/// monostate: none.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>, Rows>;

/// As in TOML; reals to the last bit, and "none" where there is none.
std::string to_text(const Value& value);

}  // namespace polhode
