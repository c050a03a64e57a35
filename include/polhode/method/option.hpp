// Options of a method: plain data, read by configurations, files and documents, like the parameters of a system.
#pragma once

#include <limits>

#include "polhode/system/view.hpp"

namespace polhode {

/// A key of [method] that only some methods have.
struct MethodOption {
  enum class Kind { boolean, integer, real, reals, choice, choice_or_reals, choice_or_rows };

  const char* name;
  Kind kind;
  const char* unit;  ///< "1" if dimensionless
  const char* meaning;
  const char* default_choice = nullptr;
  double default_number = 0;  ///< for a boolean 0 or 1
  View<const char*> choices{};
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool positive = false;            ///< greater than 0
  const char* attribute = nullptr;  ///< its attribute in a result; null: its name
};

}  // namespace polhode
