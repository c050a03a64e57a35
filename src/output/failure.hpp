// The one-line messages of this layer, in the grammar of error.hpp.
#pragma once

#include <filesystem>
#include <string>

#include "error.hpp"

namespace polhode {

/// Why a file could not be written, from an errno, with what to do about it.
IoError cannot_write(const std::filesystem::path& path, int error);
IoError cannot_write(const std::filesystem::path& path, const std::string& why);

/// A file that the user named cannot be used.
InputError cannot_read(const std::filesystem::path& path, const std::string& why, const std::string& suggestion);
InputError cannot_read(const std::filesystem::path& path, int error);

}  // namespace polhode
