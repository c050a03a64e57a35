// Names of the subcommands and of their options, from the tables of CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace polhode {

std::vector<std::string> command_names(const CLI::App& app);
/// Subcommand called `name`, or null.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

/// Spellings of a command's options, "--name" before "-n".
std::vector<std::string> option_names(const CLI::App& command);
/// Positional arguments of a command, in their order.
std::vector<const CLI::Option*> positionals_of(const CLI::App& command);

/// Words by which a command is called, e.g. "polhode run".
std::string full_name(const CLI::App& command);

}  // namespace polhode
