// A user's header with a system, as a module is compiled from it, or the code that is made of formulas in its place.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formula/formula_system.hpp"
#include "modules/source_type.hpp"
#include "polhode/system/form.hpp"

namespace polhode {

struct OwnHeader {
  std::string name;     ///< file name, without folders; of formulas "formula"
  std::string path;     ///< absolute path; of formulas the header of the program that their code begins with
  std::string content;  ///< hash of the content of `files`
  /// Paths, as they stand in messages of compilers, of the header and of the files that it includes in quotes, directly
  /// or not; without the program's headers.
  std::vector<std::string> files;
  /// Form of the header's system, if the files tell: the template of one form stands in them, and of no other.
  std::optional<SystemForm> form;
  // System of formulas, and the code that is made of it; null and empty of a header.
  std::shared_ptr<const FormulaSystem> formulas{};
  std::string definition{};
};

/// Reads a header. Throws InputError where it cannot be read or included, or names no system.
OwnHeader read_own_header(const std::filesystem::path& file);
/// Type of the system of a header, which must outlive it.
SourceType source_of(const OwnHeader& header);
/// Makes what stands for a header of formulas.
OwnHeader own_header_of(FormulaSystem formulas);

}  // namespace polhode
