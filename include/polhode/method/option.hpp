// Options of a method: plain data, which configurations, files and documents read, as they do a system's parameters.
#pragma once

#include <limits>
#include <span>

namespace polhode {

/// A key of [method] that some methods have.
struct Option {
  enum class Kind { boolean, integer, real, reals, choice, choice_or_reals };

  const char* name;
  Kind kind;
  const char* unit;  ///< "1" where it has none
  const char* meaning;
  const char* default_choice = nullptr;
  double default_number = 0;  ///< of a boolean 0 or 1
  std::span<const char* const> choices{};
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
};

}  // namespace polhode
