// Modules of this process: loaded from where they are installed or from the cache, or compiled.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "modules/module_source.hpp"
#include "modules/table.hpp"

namespace polhode {

/// Tables of modules, in the order of `sources`; null for a guess that cannot be compiled. Modules that are neither
/// loaded nor on the disk are compiled, in parallel. A module stays loaded until the end of the process. Throws
/// InputError for a mistake in a user's header, UnavailableError where a module cannot be compiled or loaded, IoError
/// where it cannot be written. Safe in threads.
std::vector<const ModuleTable*> load_modules(const std::vector<ModuleSource>& sources);

/// Table of a module that is loaded or on the disk; null where it would have to be compiled. On the disk each module is
/// looked for only once. Throws UnavailableError where it cannot be loaded.
const ModuleTable* find_module(const ModuleSource& source);

/// Modules of `sources` that are neither loaded nor on the disk; the others are loaded now.
std::vector<ModuleSource> missing_modules(const std::vector<ModuleSource>& sources);

/// Command line that would compile the modules; there must be one at least.
std::string command_to_make(const std::vector<ModuleSource>& sources);

// Exchange of modules among machines. These load nothing that is for another machine.

/// Whether a module is on this machine's disk.
bool is_on_disk(const ModuleSource& source);

/// Compiles modules that are missing into the cache, also for other machines. Throws as load_modules().
void make_modules(const std::vector<ModuleSource>& sources);

/// Bytes of a module that is on the disk; empty where it is not.
std::string read_module(const ModuleSource& source);

/// Puts a module into the cache and loads it, from bytes that another machine has read (read_module). Throws
/// UnavailableError where they are damaged or of another module, and as load_modules().
void receive_module(const ModuleSource& source, const std::string& bytes);

/// Compiles those of the modules that are not in `folder`, or in the cache if `folder` is empty; returns their number.
/// Throws as load_modules(): UnavailableError, after the others are made, also where a kernel takes memory of a GPU for
/// want of registers.
int compile_modules(const std::vector<ModuleSource>& sources, const std::filesystem::path& folder);

/// Modules of `sources`, each once.
std::vector<ModuleSource> without_copies(std::vector<ModuleSource> sources);

/// Functions of starts of a system, compiled for an instruction set; null where they would have to be compiled, or
/// cannot be loaded.
const StartFunctions* find_start_functions(const SourceType& system, const char* name, Isa isa);

/// Whether modules that are missing are compiled; if not, it is an error that they are missing.
bool compiling_is_allowed();

/// Sets whether modules that are missing are compiled from now on, or are an error; overrides $POLHODE_NO_COMPILE.
void allow_compiling(bool allowed);

}  // namespace polhode
