// Lines of C++ as they are read without a compiler.
#pragma once

#include <optional>
#include <string_view>

namespace polhode {

/// Rest of a line after a word that it begins with, without blanks around it; nothing where it begins otherwise.
std::optional<std::string_view> rest_after(std::string_view line, std::string_view word);

/// Name that a line includes in quotes, or empty. Conditions around it are not looked at.
std::string_view included_in_quotes(std::string_view line);

/// Takes the first line off a text, and returns it.
std::string_view take_line(std::string_view& text);

}  // namespace polhode
