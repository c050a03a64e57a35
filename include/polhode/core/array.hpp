// Arrays of a result in memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace polhode {

using Shape = std::vector<std::uint64_t>;  ///< sizes of the dimensions, the slowest first; empty for a single value

using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::string>, std::vector<double>>;
using Attributes = std::map<std::string, Attribute>;

struct Array {
  using Values =
      std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint8_t>, std::vector<std::string>>;

  Shape shape;
  Values values;          ///< all elements, the last dimension fastest; NaN: unknown
  Attributes attributes;  ///< e.g. "columns", the names of a state's columns
  /// Names of the dimensions, each a path such as "/trajectory": the array of this path, if there is one, has the
  /// coordinates along the dimension. Empty text: a dimension without a name.
  std::vector<std::string> dimensions;
};

}  // namespace polhode
