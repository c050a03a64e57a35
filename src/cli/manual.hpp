// The manual page, made of what the program says of itself: commands and options, the schema, exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace polhode {

/// polhode(1) in the language of man(7).
std::string manual(const CLI::App& app);

}  // namespace polhode
