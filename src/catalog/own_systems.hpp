// Systems of users: a header, which is compiled when it is named (docs/tutorial.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace polhode {

/// A kernel that will be asked for, by the names of a configuration.
struct WantedKernel {
  std::string method, solver;  ///< solver: empty for the default
  Precision precision;
  Isa isa;
  std::optional<ExplicitTable> table{};  ///< table that the kernel is compiled with; none: the default, or no table
};

/// System of a header; added to the catalog unless the catalog has it. If the header has to be compiled, the kernel
/// `wanted` is compiled at the same time, if its modules can be guessed. Throws InputError where the header cannot be
/// used or compiled, or another system has the name of this one, and as load_modules() does (modules/modules.hpp).
const SystemEntry& require_system(const std::string& header, const WantedKernel* wanted = nullptr);

/// Module with the description of the system of a header, which require_system() loads. Throws InputError where the
/// header cannot be read.
ModuleSource description_of_header(const std::filesystem::path& header);

/// Modules of a user's system that depend on neither method nor target: its description, its values for the reference,
/// and its functions (modules/table.hpp) for any processor.
std::vector<ModuleSource> modules_besides_kernels(const SystemEntry& system);

}  // namespace polhode
