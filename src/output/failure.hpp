// One-line messages of this layer, in the grammar of error.hpp.
#pragma once

#include <filesystem>
#include <string>

#include "error.hpp"

namespace polhode {

/// Error for a file that could not be written, from an errno or a reason in words, with a suggestion.
IoError cannot_write(const std::filesystem::path& path, int error);
IoError cannot_write(const std::filesystem::path& path, const std::string& why);

/// Error for a file that cannot be read or used, from a reason in words with a suggestion, or from an errno.
InputError cannot_read(const std::filesystem::path& path, const std::string& why, const std::string& suggestion);
InputError cannot_read(const std::filesystem::path& path, int error);

}  // namespace polhode
