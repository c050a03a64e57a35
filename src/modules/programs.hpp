// Programs on this machine, by name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace polhode {

/// A command with arguments, without a shell.
using Command = std::vector<std::string>;

/// Adds words to a command.
void append(Command& command, const std::vector<std::string>& words);

/// Words of a text between spaces and semicolons.
std::vector<std::string> words_of(std::string text);

/// The file of a program, which has a path or is on $PATH.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// A command, which is a path or words; its program is found. Nothing where it is not there.
std::optional<Command> find_command(const std::string& text);

/// Name of the file that links lead to, and what changes when it is replaced.
std::string identity_of(const std::filesystem::path& program);

/// Name for a folder of what a command makes: its own, and a hash of a text.
std::string folder_name(const std::string& name, const std::string& identity);

}  // namespace polhode
