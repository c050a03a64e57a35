// The subcommands of the program and their options, as CLI11 has them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace polhode {

std::vector<std::string> command_names(const CLI::App& app);
/// Null where there is none of that name.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

/// All spellings of a command's options, "--name" before "-n".
std::vector<std::string> option_names(const CLI::App& command);
/// The positional arguments of a command, in their order.
std::vector<const CLI::Option*> positionals_of(const CLI::App& command);

/// What the command is called by, e.g. "polhode run".
std::string full_name(const CLI::App& command);

}  // namespace polhode
