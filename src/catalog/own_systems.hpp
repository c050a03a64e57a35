// Systems of users: a header, or formulas, which are compiled when they are named (docs/tutorial.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "modules/own_header.hpp"
#include "polhode/core/run_spec.hpp"

namespace polhode {

/// A kernel that will be asked for, by the names of a configuration.
struct WantedKernel {
  std::string method, solver;  ///< solver: empty for the default
  Precision precision;
  Isa isa;
  std::optional<ExplicitTable> table{};  ///< table that the kernel is compiled with; none: the default, or no table
};

/// Header that a specification names, or what its formulas make in place of one; none where the program has the system.
/// Throws as read_own_header() and make_formula_system().
std::optional<OwnHeader> own_header_of(const SystemSpec& spec);

/// System of a header; added to the catalog unless the catalog has it. If the header has to be compiled, the kernel
/// `wanted` is compiled at the same time, if its modules can be guessed. Throws InputError where the header cannot be
/// compiled, or another system has the name of this one, and as load_modules() does (modules/modules.hpp).
const SystemEntry& require_system(const OwnHeader& header, const WantedKernel* wanted = nullptr);
/// System of the header in a file; throws as read_own_header(), too.
const SystemEntry& require_system(const std::string& file);

/// Module with the description of the system of a header, which require_system() loads.
ModuleSource description_of(const OwnHeader& header);

/// Modules of a user's system that depend on neither method nor target: its description, its values for the reference,
/// and its functions (modules/table.hpp) for any processor.
std::vector<ModuleSource> modules_besides_kernels(const SystemEntry& system);

}  // namespace polhode
