// Modules of this process: loaded from where they are installed or from the cache, or compiled.
#pragma once

#include <filesystem>
#include <vector>

#include "modules/module_source.hpp"
#include "modules/table.hpp"

namespace polhode {

/// The tables of modules, in their order. What is neither loaded nor on the disk is compiled, beside each other. A
/// module stays until the end of the process. Throws UnavailableError where one cannot be compiled or loaded, IoError
/// where it cannot be written. Safe in threads.
std::vector<const ModuleTable*> load_modules(const std::vector<ModuleSource>& sources);

/// The table of a module that is loaded or on the disk; null where it would have to be compiled.
const ModuleTable* find_module(const ModuleSource& source);

/// Compiles those of the modules that are not in a folder, or in the cache if that is empty. Returns how many that are.
/// Throws UnavailableError where one cannot be compiled, or is for GPUs and takes memory for want of registers, when
/// the others are there.
int compile_modules(const std::vector<ModuleSource>& sources, const std::filesystem::path& folder);

/// Each of them once.
std::vector<ModuleSource> without_copies(std::vector<ModuleSource> sources);

/// Functions on starts of a system, for this processor; null where they would have to be compiled.
const StartFunctions* find_start_functions(const SourceType& system, const char* name, Isa isa);

/// Sets whether modules that are missing are compiled from now on, or an error, as by $POLHODE_NO_COMPILE.
void allow_compiling(bool allowed);

}  // namespace polhode
