// Lines of C++ as they are read without a compiler.
#pragma once

#include <optional>
#include <string_view>

namespace polhode {

/// Rest of a line after a word that it begins with, without blanks around it; nothing where it begins otherwise.
std::optional<std::string_view> rest_after(std::string_view line, std::string_view word);

/// File that a line includes: in quotes, or in angle brackets.
struct Include {
  std::string_view name;
  bool in_quotes;
};

/// Include of a line, if it is one. Conditions around it are not looked at.
std::optional<Include> include_of(std::string_view line);

/// Takes the first line off a text, and returns it.
std::string_view take_line(std::string_view& text);

}  // namespace polhode
