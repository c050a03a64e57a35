// Completion of a command line, for the shells (completion/).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace polhode {

/// Words that the last one of `words` may become; a single pattern such as "*.toml" where files are meant; nothing
/// where none are known. words: the command line up to the word that is typed, without the name of the program. After a
/// returned word that ends in "=" a value is still to be typed.
std::vector<std::string> complete(const CLI::App& app, const Invocation& invocation,
                                  const std::vector<std::string>& words);

}  // namespace polhode
