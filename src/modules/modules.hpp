// Modules of this process: loaded from where they are installed or from the cache, or compiled.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "modules/module_source.hpp"
#include "modules/table.hpp"

namespace polhode {

/// Tables of modules, in the order of `sources`; null for a guess (ModuleSource::is_guess) that cannot be compiled.
/// Modules that are neither loaded nor on the disk are compiled, in parallel. A module stays loaded until the end of
/// the process. Throws InputError for a mistake in a user's header, UnavailableError where a module cannot be compiled
/// or loaded or none may be compiled (allow_compiling()), IoError where a file cannot be written. May be called by
/// several threads at a time.
std::vector<const ModuleTable*> load_modules(const std::vector<ModuleSource>& sources);

/// Table of a module that is loaded or on the disk; null where it would have to be compiled. On the disk each module is
/// looked for only once. Throws UnavailableError where it cannot be loaded.
const ModuleTable* find_module(const ModuleSource& source);

/// Modules of `sources` that are neither loaded nor on the disk; the others are loaded now. Throws UnavailableError
/// where one of those cannot be loaded.
std::vector<ModuleSource> missing_modules(const std::vector<ModuleSource>& sources);

/// Command line that would compile the modules, with CONFIG for the name of the configuration. There must be one module
/// at least.
std::string command_to_make(const std::vector<ModuleSource>& sources);

// Exchange of modules among machines. The functions down to receive_module() load nothing for another machine.

/// Whether a module is on this machine's disk.
bool is_on_disk(const ModuleSource& source);

/// Compiles those of `sources` that are not in the cache into it, also for other machines. Throws as load_modules().
void make_modules(const std::vector<ModuleSource>& sources);

/// Bytes of the file of a module, for receive_module(); empty where the module is not on the disk.
std::string read_module(const ModuleSource& source);

/// Puts a module into the cache and loads it, from the bytes that read_module() has returned on another machine. Throws
/// UnavailableError where the bytes are damaged or of another module, and as load_modules().
void receive_module(const ModuleSource& source, const std::string& bytes);

/// Compiles those of `sources` that are not in `folder` or, where its path is empty, not in the cache; returns the
/// number compiled. Throws IoError where the folder cannot be made, and as load_modules(): UnavailableError after the
/// other modules are made, and also where a kernel for GPUs spills to memory what should fit into registers.
int compile_modules(const std::vector<ModuleSource>& sources, const std::filesystem::path& folder);

/// Modules of `sources`, those with the same key once.
std::vector<ModuleSource> without_copies(std::vector<ModuleSource> sources);

/// Functions of starts (system/start_functions.hpp) of a system, compiled for an instruction set; null where they would
/// have to be compiled, or cannot be loaded. name: the system's name, for people.
const StartFunctions* find_start_functions(const SourceType& system, const char* name, Isa isa);

/// Whether modules that are missing are compiled; if not, it is an error that they are missing.
bool compiling_is_allowed();

/// Sets whether modules that are missing are compiled from now on, or are an error; overrides $POLHODE_NO_COMPILE.
void allow_compiling(bool allowed);

}  // namespace polhode
