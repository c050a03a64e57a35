// Completion of a command line, for the shells (completion/).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace polhode {

/// Words that the last one of `words` (without the name of the program) may become; or a single pattern such as
/// "*.toml" if files are meant. A word that ends in "=" is incomplete.
std::vector<std::string> complete(const CLI::App& app, const Invocation& invocation,
                                  const std::vector<std::string>& words);

}  // namespace polhode
