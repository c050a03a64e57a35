// Completion of a command line, for the shells (completion/).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace polhode {

/// What the last word may become, given those before it (the program's name is not among them): words that begin with
/// it, or a single pattern such as "*.toml" where files are meant. Words that end in "=" are to be continued.
std::vector<std::string> complete(const CLI::App& app, const Invocation& invocation,
                                  const std::vector<std::string>& words);

}  // namespace polhode
