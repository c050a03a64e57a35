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

/// File of a program whose name is a path or is found on $PATH; nothing where it is not there.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// Command of a text, which is the name of a program (find_program()) or such a name and arguments after it, with the
/// program's path as first word; nothing where the program is not there.
std::optional<Command> find_command(const std::string& text);

/// Canonical path, size and time of modification of a program: another text once it has been replaced.
std::string identity_of(const std::filesystem::path& program);

/// Name of the folder for what a compiler makes: `name`, and a hash of `identity`, a text that tells one compiler and
/// its flags from another.
std::string folder_name(const std::string& name, const std::string& identity);

}  // namespace polhode
