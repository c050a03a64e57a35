// A user's header with a system, as a module is compiled from it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "polhode/system/form.hpp"

namespace polhode {

struct OwnHeader {
  std::string name;     ///< file name, without folders
  std::string path;     ///< absolute path
  std::string content;  ///< hash of the content of `files`
  /// Paths, as they stand in messages of compilers, of the header and of the files that it includes in quotes, directly
  /// or not; without the program's headers.
  std::vector<std::string> files;
  /// Form of the header's system, if the files tell: the template of one form stands in them, and of no other.
  std::optional<SystemForm> form;
};

/// Reads a header. Throws InputError where it cannot be read or included, or names no system.
OwnHeader read_own_header(const std::filesystem::path& file);

}  // namespace polhode
