// Errors in the command line, with the nearest command or option.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "error.hpp"

namespace polhode {

InputError unknown_command(const CLI::App& app, const std::string& name);

/// Error in the command line that `app` was parsing when it threw `error`.
InputError explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace polhode
