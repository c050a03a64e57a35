// The subcommands of polhode besides run. Each returns an exit code and throws Error.
#pragma once

#include <filesystem>
#include <string>

#include "error.hpp"

namespace polhode {

enum class ListTopic { systems, methods, sections, backends };
ExitCode list_command(ListTopic topic, bool json);

ExitCode info_command(const std::filesystem::path& file);

/// Hands the file to the Python package. An empty output means the file's name with .png.
ExitCode plot_command(const std::filesystem::path& file, const std::filesystem::path& output);

}  // namespace polhode
