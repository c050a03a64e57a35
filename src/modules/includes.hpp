// Reading of lines of C++ without a compiler.
#pragma once

#include <optional>
#include <string_view>

namespace polhode {

/// Rest of a line that begins with `word`, blanks before the word and the rest left out; nothing where the line begins
/// otherwise.
std::optional<std::string_view> rest_after(std::string_view line, std::string_view word);

/// File that a line includes: in quotes, or in angle brackets.
struct Include {
  std::string_view name;
  bool in_quotes;
};

/// Include that a line is, or nothing. Preprocessor conditions around the line are ignored.
std::optional<Include> include_of(std::string_view line);

/// Takes the first line off a text, and returns it.
std::string_view take_line(std::string_view& text);

}  // namespace polhode
