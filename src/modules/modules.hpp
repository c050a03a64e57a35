// Modules of this process: loaded from where they are installed or from the cache, or compiled.
#pragma once

#include <filesystem>
#include <string>
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

/// Subset of the modules that are neither loaded nor on the disk; the others are loaded.
std::vector<ModuleSource> missing_modules(const std::vector<ModuleSource>& sources);

/// Command that would compile modules which are missing.
std::string command_to_make(const std::vector<ModuleSource>& sources);

// Exchange of modules among machines. These load nothing that is for another machine.

/// Whether a module is on this machine's disk.
bool is_on_disk(const ModuleSource& source);

/// Compiles modules that are missing into the cache, also for other machines. Throws as load_modules().
void make_modules(const std::vector<ModuleSource>& sources);

/// Bytes of a module that is on the disk; empty where it is not.
std::string read_module(const ModuleSource& source);

/// Puts a module whose bytes another machine has read into the cache, and loads it. Throws UnavailableError where they
/// are not that module, whole.
void receive_module(const ModuleSource& source, const std::string& bytes);

/// Compiles those of the modules that are not in a folder, or in the cache if that is empty. Returns how many that are.
/// Throws UnavailableError where one cannot be compiled, or is for GPUs and takes memory for want of registers, when
/// the others are there.
int compile_modules(const std::vector<ModuleSource>& sources, const std::filesystem::path& folder);

/// Each of them once.
std::vector<ModuleSource> without_copies(std::vector<ModuleSource> sources);

/// Functions on starts of a system, for this processor; null where they would have to be compiled.
const StartFunctions* find_start_functions(const SourceType& system, const char* name, Isa isa);

/// Whether modules that are missing are compiled, or an error.
bool compiling_is_allowed();

/// Sets whether modules that are missing are compiled from now on, or an error, as by $POLHODE_NO_COMPILE.
void allow_compiling(bool allowed);

}  // namespace polhode
