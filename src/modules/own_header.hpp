// A user's header with a system, as a module is compiled from it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "polhode/system/form.hpp"

namespace polhode {

struct OwnHeader {
  std::string name;     ///< without folders
  std::string path;     ///< absolute
  std::string content;  ///< hash of the content of `files`
  std::vector<std::string>
      files;  ///< names of the header and of what it includes in quotes, but not the program's, as compilers give them
  /// Form of its system, if the text tells: it has the template of one form, and of no other.
  std::optional<SystemForm> form;
};

/// Reads a header. Throws InputError where it cannot be read or included, or names no system.
OwnHeader read_own_header(const std::filesystem::path& file);

}  // namespace polhode
