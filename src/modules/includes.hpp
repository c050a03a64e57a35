// Reading of lines of C++ without a compiler.
#pragma once

#include <optional>
#include <string_view>

namespace polhode {

/// Text after `word` in a line that begins with it, blanks left out before and after the word; nothing where the line
/// begins otherwise.
std::optional<std::string_view> rest_after(std::string_view line, std::string_view word);

/// File that a line includes: in quotes, or in angle brackets.
struct Include {
  std::string_view name;
  bool in_quotes;
};

/// File that a line includes, by #include, #include_next or #import; nothing for any other line. Preprocessor
/// conditions around the line are ignored.
std::optional<Include> include_of(std::string_view line);

/// Takes the first line off a text, and returns it without its newline.
std::string_view take_line(std::string_view& text);

}  // namespace polhode
